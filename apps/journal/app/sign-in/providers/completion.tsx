import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { NeedsScript } from '../../layout/needs-script.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { AuthPage } from '../forms/auth-page.tsx';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import { useFinishSignIn } from '../tokens/use-finish-sign-in.ts';
import { FailedPopup } from './failed-popup.tsx';
import { type SignInFailure, signInFailureText, toSignInFailure } from './sign-in-failure.ts';

export interface CompletionProps {
  target: SignInTarget;
  /** The code from the URL, which works once and for a minute. */
  code: string | null;
  /** The server's result for the code, if the form was sent without JavaScript. */
  failure: SignInFailure | undefined;
}

/**
 * Takes the last step of a sign-in at a provider. The step needs no press of a button, except for an app: the link that
 * led here may have come from anybody who waits for a session, and a provider often asks its readers nothing.
 */
export function Completion({ target, code, failure: initial }: CompletionProps) {
  const { m } = useLanguage();
  const texts = m.signIn.complete;
  const forApp = target.kind === 'mobile-session';
  const { failure, busy, complete } = useCompletion(target, code, initial);
  const completeOnMount = useEffectEvent(complete);
  const isAutomatic = !forApp && initial === undefined;
  useEffect(() => {
    if (isAutomatic) void completeOnMount();
  }, [isAutomatic]);

  if (failure) {
    if (target.kind === 'popup') return <FailedPopup target={target} failure={failure} />;
    return <FailedSignIn failure={failure} />;
  }
  return (
    <AuthPage title={forApp ? texts.appTitle : texts.title} lead={forApp ? m.signIn.forApp : texts.wait}>
      {worksWithoutScript(target) ? (
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
      ) : (
        <NeedsScript />
      )}
    </AuthPage>
  );
}

/** The code works once, and effects may run twice: `complete` submits the code the first time only. */
function useCompletion(target: SignInTarget, code: string | null, initial: SignInFailure | undefined) {
  const finish = useFinishSignIn(target);
  const [failure, setFailure] = useState(initial ?? (code ? undefined : 'VERIFICATION_FAILED'));
  const [busy, setBusy] = useState(false);
  const isStarted = useRef(false);
  const complete = async () => {
    if (!code || isStarted.current) return;
    isStarted.current = true;
    setBusy(true);
    await finish((auth) => auth.completeSignIn(code)).catch((error: unknown) =>
      setFailure(toSignInFailure(error)),
    );
  };
  return { failure, busy, complete };
}

function FailedSignIn({ failure }: { failure: SignInFailure }) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  return (
    <AuthPage title={m.signIn.complete.failedTitle} lead={signInFailureText(failure, m)}>
      <Link to={withTarget('/auth', query)} className={buttonClass({ size: 'large' })}>
        {m.signIn.complete.again}
      </Link>
    </AuthPage>
  );
}
