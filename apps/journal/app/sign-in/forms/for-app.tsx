import { Smartphone } from 'lucide-react';
import { useLanguage } from '../../language/language-provider.tsx';

/** Whoever sent the link may be the one who waits for the session: only the reader knows who asked. */
export function ForApp() {
  const { m } = useLanguage();
  return (
    <p className="mb-6 flex items-start gap-3 border border-field p-3.5 text-[0.9375rem] leading-relaxed">
      <Smartphone aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
      {m.signIn.forApp}
    </p>
  );
}
