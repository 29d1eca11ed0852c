import { useLanguage } from '../language/language-provider.tsx';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata } from '../layout/metadata.ts';
import type { Route } from './+types/route.ts';

const SECTIONS = ['whoIAm', 'vision', 'why'] as const;

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const { title, metaDescription } = messagesOf(language).about;
  return buildMetadata({ title, description: metaDescription, path: '/about-me', language, publicUrl });
}

export default function About() {
  const { m } = useLanguage();
  const { title, quote } = m.about;
  return (
    <div className="page-width pt-12 sm:pt-16">
      <h1 className="display-title">{title}</h1>
      <div className="mt-10 border-t border-hairline sm:mt-14">
        {SECTIONS.map((name) => (
          <section
            key={name}
            className="grid gap-x-16 gap-y-4 border-b border-hairline py-10 sm:py-14 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)]"
          >
            <h2 className="font-serif text-[1.75rem] leading-tight tracking-[-0.015em]">
              {m.about[name].heading}
            </h2>
            <div className="prose-text grid gap-5">
              {m.about[name].body.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
            </div>
          </section>
        ))}
      </div>
      <figure className="mx-auto max-w-3xl pt-20 pb-4 text-center">
        <blockquote className="font-serif text-[clamp(1.75rem,1.3rem+2vw,2.75rem)] leading-[1.2] tracking-[-0.018em] text-balance">
          <p>
            <span className="text-accent">{m.layout.openingQuote}</span>
            {quote.text}
            <span className="text-accent">{m.layout.closingQuote}</span>
          </p>
        </blockquote>
        <figcaption className="small-caps-label mt-6 text-muted">{quote.source}</figcaption>
      </figure>
      <p className="mx-auto max-w-2xl pt-16 text-center text-sm leading-relaxed text-pretty text-muted">
        {m.about.counting}
      </p>
    </div>
  );
}
