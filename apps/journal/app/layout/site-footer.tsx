import { useLanguage } from '../language/language-provider.tsx';

/** The title of the book that the journal is named after; it is marked as Latin within the sentence. */
const NAMESAKE = 'De humani corporis fabrica';

export function SiteFooter() {
  const { m } = useLanguage();
  const [before, after] = m.layout.imprint.split(NAMESAKE);
  return (
    <footer className="mt-24 border-t border-hairline">
      <div className="page-width flex flex-wrap items-baseline justify-between gap-x-10 gap-y-2 py-8 text-sm text-muted">
        <p className="font-serif text-base text-ink">
          {m.layout.siteName}. {m.layout.tagline}
        </p>
        <p className="max-w-xl text-pretty leading-relaxed">
          {before}
          <cite lang="la" className="font-serif text-[1.07em] text-ink not-italic">
            {NAMESAKE}
          </cite>
          {after}
        </p>
      </div>
    </footer>
  );
}
