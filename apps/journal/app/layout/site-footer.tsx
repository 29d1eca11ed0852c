import { useLanguage } from '../language/language-provider.tsx';

export function SiteFooter() {
  const { m } = useLanguage();
  return (
    <footer className="mt-24 border-t border-hairline">
      <div className="page-width flex flex-wrap items-baseline justify-between gap-x-10 gap-y-2 py-8 text-sm text-muted">
        <p className="font-serif text-base text-ink">
          {m.layout.siteName}. {m.layout.tagline}
        </p>
        <p className="max-w-xl text-pretty leading-relaxed">{m.layout.imprint}</p>
      </div>
    </footer>
  );
}
