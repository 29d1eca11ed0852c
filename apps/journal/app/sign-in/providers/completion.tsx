import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { NeedsScript } from '../../layout/needs-script.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { useActionForm } from '../../ui/use-action-form.ts';
import { AuthPage } from '../forms/auth-page.tsx';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import { FailedPopup } from './failed-popup.tsx';
import { type SignInFailure, signInFailureText } from './sign-in-failure.ts';

interface CompletionResult {
  failure: SignInFailure;
}

interface CompletionProps {
  target: SignInTarget;
  /** The code from the URL, which works once and for a minute. */
  code: string | null;
  /** The server's result for the code, if the form was sent without JavaScript. */
  sent: CompletionResult | undefined;
}

/**
 * Takes the last step of a sign-in at a provider. The step needs no press of a button, except for an app: the link that
 * led here may have come from anybody who waits for a session, and a provider often asks its readers nothing.
 */
export function Completion({ target, code, sent }: CompletionProps) {
  const { m } = useLanguage();
  const texts = m.signIn.complete;
  const forApp = target.kind === 'mobile-session';
  const { Form, props, busy, result, send } = useActionForm<CompletionResult>(sent);
  const failure = result?.failure ?? (code ? undefined : 'VERIFICATION_FAILED');
  /** The code works once, and effects may run twice. */
  const isStarted = useRef(false);
  const completeOnMount = useEffectEvent(() => {
    if (!isStarted.current) send({});
    isStarted.current = true;
  });
  const isAutomatic = !forApp && sent === undefined && code !== null;
  useEffect(() => {
    if (isAutomatic) completeOnMount();
  }, [isAutomatic]);

  if (failure) {
    if (target.kind === 'popup') return <FailedPopup target={target} failure={failure} />;
    return <FailedSignIn failure={failure} />;
  }
  return (
    <AuthPage title={forApp ? texts.appTitle : texts.title} lead={forApp ? m.signIn.forApp : texts.wait}>
      {worksWithoutScript(target) ? (
        <Form {...props} className={forApp ? undefined : 'hidden unscripted:block'}>
          <Button type="submit" size="large" busy={busy !== undefined} className="w-full">
            {forApp ? texts.appGoOn : texts.goOn}
          </Button>
        </Form>
      ) : (
        <NeedsScript />
      )}
    </AuthPage>
  );
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
