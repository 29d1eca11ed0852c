import type { ReactNode } from 'react';
import type { AboutSectionName } from '../../project/entities.ts';
import { backendContext } from '../backend-context.ts';
import { ResponsiveImage } from '../images/responsive-image.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata } from '../layout/metadata.ts';
import { MarkdownText } from '../markdown/markdown-text.tsx';
import type { SiteImage } from '../site/site.ts';
import type { Route } from './+types/route.ts';
import { type AboutTexts, loadAbout } from './load-about.ts';

export function loader({ context }: Route.LoaderArgs) {
  return loadAbout(context.get(backendContext));
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const { language, publicUrl, site } = matches[0].loaderData;
  const { title, description } = messagesOf(language).about;
  return buildMetadata({
    title,
    description: loaderData?.summary || description(site.name),
    path: '/about-me',
    language,
    languages: loaderData?.languages ?? [],
    publicUrl,
    site,
    image: loaderData?.image?.url,
  });
}

export default function About({ loaderData: { texts, image } }: Route.ComponentProps) {
  const { m, language } = useLanguage();
  return (
    <div className="page-width pt-12 sm:pt-16">
      <h1 className="display-title">{m.about.title}</h1>
      <div lang={texts && texts.language !== language ? texts.language : undefined}>
        {image && <Portrait image={image} alt={texts?.imageAlt ?? ''} />}
        {texts ? <OwnTexts texts={texts} /> : <NeutralTexts />}
      </div>
      <p className="mx-auto max-w-2xl pt-16 text-center text-sm leading-relaxed text-pretty text-muted">
        {m.about.counting}
      </p>
    </div>
  );
}

/** Shows what the operator has written. */
function OwnTexts({ texts: { sections, quote } }: { texts: AboutTexts }) {
  const titles = useSectionTitles();
  return (
    <>
      <Sections>
        {sections.map(({ name, title, nodes }) => (
          <Section key={name} title={title ?? titles[name]}>
            <MarkdownText nodes={nodes} level={3} className="prose-text" />
          </Section>
        ))}
      </Sections>
      {quote && <Quote {...quote} />}
    </>
  );
}

/** Shows texts that are true of any site. */
function NeutralTexts() {
  const { m } = useLanguage();
  return (
    <>
      <Sections>
        {[m.about.whoIAm, m.about.vision, m.about.why].map(({ heading, text }) => (
          <Section key={heading} title={heading}>
            <p className="prose-text">{text}</p>
          </Section>
        ))}
      </Sections>
      <Quote text={m.about.quote} source={null} />
    </>
  );
}

function useSectionTitles(): Record<AboutSectionName, string> {
  const { whoIAm, vision, why } = useLanguage().m.about;
  return { who: whoIAm.heading, vision: vision.heading, why: why.heading };
}

function Sections({ children }: { children: ReactNode }) {
  return <div className="mt-10 border-t border-hairline sm:mt-14">{children}</div>;
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-16 gap-y-4 border-b border-hairline py-10 sm:py-14 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)]">
      <h2 className="font-serif text-[1.75rem] leading-tight tracking-[-0.015em]">{title}</h2>
      {children}
    </section>
  );
}

function Quote({ text, source }: { text: string; source: string | null }) {
  const { m } = useLanguage();
  return (
    <figure className="mx-auto max-w-3xl pt-20 pb-4 text-center">
      <blockquote className="font-serif text-[clamp(1.75rem,1.3rem+2vw,2.75rem)] leading-[1.2] tracking-[-0.018em] text-balance">
        <p>
          <span className="text-accent">{m.layout.openingQuote}</span>
          {text}
          <span className="text-accent">{m.layout.closingQuote}</span>
        </p>
      </blockquote>
      {source && <figcaption className="small-caps-label mt-6 text-muted">{source}</figcaption>}
    </figure>
  );
}

/** The portrait is as wide as the column of the sections' titles. */
const FRAME = {
  ratio: 4 / 5,
  maxCrop: 1,
  widths: [['(min-width: 64rem)', '24rem'], ['min(92vw, 24rem)']],
} as const;

function Portrait({ image, alt }: { image: SiteImage; alt: string }) {
  return (
    <ResponsiveImage
      source={{ ...image, placeholder: null, isBright: false }}
      frame={FRAME}
      alt={alt}
      loading="first"
      className="mt-10 aspect-[4/5] w-full max-w-96"
    />
  );
}
