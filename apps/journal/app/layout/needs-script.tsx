import { useLanguage } from '../language/language-provider.tsx';

/** Shown only where no script runs: why nothing can be done here. */
export function NeedsScript() {
  const { m } = useLanguage();
  return (
    <noscript>
      <p className="text-muted">{m.layout.needsScript}</p>
    </noscript>
  );
}
