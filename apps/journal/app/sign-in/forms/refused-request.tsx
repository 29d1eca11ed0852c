import { useLanguage } from '../../language/language-provider.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import type { RefusalReason } from '../request/sign-in-request.ts';

/** A sign-in that we do not serve, and why. */
export function RefusedRequest({ reason }: { reason: RefusalReason }) {
  const { m } = useLanguage();
  return (
    <>
      <h1 className="display-title">{m.signIn.refused.title}</h1>
      <p className="mt-5 mb-8 text-lg leading-relaxed text-muted">{m.signIn.refused[reason]}</p>
      <BackLink to="/gallery">{m.signIn.back}</BackLink>
    </>
  );
}
