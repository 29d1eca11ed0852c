import { Link } from 'react-router';
import { feedPath } from '../discovery/feed/feed-path.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { DEFAULT_NAME, useSite } from '../site/site.ts';

/** The title of the book that the journal is named after; it is marked as Latin within the sentence. */
const NAMESAKE = 'De humani corporis fabrica';

const LINK_CLASS = 'inline-flex min-h-11 items-center underline underline-offset-4 hover:text-ink';

export function SiteFooter() {
  const { m, language } = useLanguage();
  const { name, tagline, legalPages } = useSite();
  return (
    <footer className="mt-24 border-t border-hairline">
      <div className="page-width flex flex-wrap items-baseline justify-between gap-x-10 gap-y-2 py-8 text-sm text-muted">
        <p className="font-serif text-base text-ink">
          {name}. {tagline ?? m.layout.tagline}
        </p>
        <ul className="flex flex-wrap gap-x-6 print:hidden">
          {legalPages.map((page) => (
            <li key={page}>
              <Link to={`/${page}`} className={LINK_CLASS}>
                {m.layout[page]}
              </Link>
            </li>
          ))}
          <li>
            <a href={feedPath(language)} type="application/atom+xml" className={LINK_CLASS}>
              {m.layout.feed}
            </a>
          </li>
        </ul>
        {name === DEFAULT_NAME && <Namesake sentence={m.layout.namesake} />}
      </div>
    </footer>
  );
}

/** Tells where the name comes from that a site has by default. */
function Namesake({ sentence }: { sentence: string }) {
  const [before, after] = sentence.split(NAMESAKE);
  return (
    <p className="max-w-xl text-pretty leading-relaxed">
      {before}
      <cite lang="la" className="font-serif text-[1.07em] text-ink not-italic">
        {NAMESAKE}
      </cite>
      {after}
    </p>
  );
}
