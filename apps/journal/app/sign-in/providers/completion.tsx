import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { NeedsScript } from '../../layout/needs-script.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { AuthPage } from '../forms/auth-page.tsx';
import { carryOn } from '../request/continuation-query.ts';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { useFinishSignIn } from '../tokens/use-finish-sign-in.ts';
import { FailedPopup } from './failed-popup.tsx';
import { type Failure, failureOf, failureText } from './provider-failure.ts';

export interface CompletionProps {
  request: ServedRequest;
  /** Good once, for a minute; null when the address has none. */
  code: string | null;
  /** What the server said to it, when the form was sent without a script. */
  failure: Failure | undefined;
}

/**
 * The last step of a sign-in at a provider. It is taken by itself, save for an app: the link that led here may have
 * come from anybody who waits for a session, and a provider often lets its readers through without a word.
 */
export function Completion({ request, code, failure: initial }: CompletionProps) {
  const { m } = useLanguage();
  const texts = m.signIn.complete;
  const forApp = request.kind === 'mobile-session';
  const { failure, busy, complete } = useCompletion(request, code, initial);
  useByItself(complete, !forApp && initial === undefined);

  if (failure) {
    if (request.kind === 'popup') return <FailedPopup request={request} failure={failure} />;
    return <FailedSignIn failure={failure} />;
  }
  return (
    <AuthPage title={forApp ? texts.appTitle : texts.title} lead={forApp ? m.signIn.forApp : texts.wait}>
      {request.kind === 'own' || request.kind === 'popup' ? (
        <NeedsScript />
      ) : (
        <form
          method="post"
          onSubmit={(event) => {
            event.preventDefault();
            void complete();
          }}
          className={forApp ? undefined : 'hidden unscripted:block'}
        >
          <Button type="submit" size="large" busy={busy} className="w-full">
            {forApp ? texts.appGoOn : texts.goOn}
          </Button>
        </form>
      )}
    </AuthPage>
  );
}

function useCompletion(request: ServedRequest, code: string | null, initial: Failure | undefined) {
  const finish = useFinishSignIn(request);
  const [failure, setFailure] = useState(initial ?? (code ? undefined : 'VERIFICATION_FAILED'));
  const [busy, setBusy] = useState(false);
  const begun = useRef(false);
  const complete = async () => {
    if (!code || begun.current) return;
    begun.current = true;
    setBusy(true);
    await finish((auth) => auth.completeSignIn(code)).catch((error: unknown) => setFailure(failureOf(error)));
  };
  return { failure, busy, complete };
}

/** The code is good once: what an effect does twice, `complete` does once. */
function useByItself(complete: () => Promise<void>, wanted: boolean): void {
  const act = useRef(complete);
  useEffect(() => {
    if (wanted) void act.current();
  }, [wanted]);
}

function FailedSignIn({ failure }: { failure: Failure }) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  return (
    <AuthPage title={m.signIn.complete.failedTitle} lead={failureText(failure, m)}>
      <Link to={carryOn('/auth', query)} className={buttonClass({ size: 'large' })}>
        {m.signIn.complete.again}
      </Link>
    </AuthPage>
  );
}
