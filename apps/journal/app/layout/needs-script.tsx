import { useLanguage } from '../language/language-provider.tsx';

interface NeedsScriptProps {
  /** Says why JavaScript is needed; a general text by default. */
  text?: string;
}

/** Tells readers without JavaScript that it is needed here; others do not see it. */
export function NeedsScript({ text }: NeedsScriptProps) {
  const { m } = useLanguage();
  return (
    <noscript>
      <p className="text-muted">{text ?? m.layout.needsScript}</p>
    </noscript>
  );
}
