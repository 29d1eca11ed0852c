import type { PopupMessage } from '@fabrica/contract';
import { useEffect } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { AuthPage, FormAlert } from '../forms/auth-page.tsx';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { postToOpener } from '../tokens/opener-window.ts';
import { type SignInFailure, signInFailureText } from './sign-in-failure.ts';

interface FailedPopupProps {
  target: Extract<SignInTarget, { kind: 'popup' }>;
  failure: SignInFailure;
}

/** Posts the failure of a sign-in at a provider to the window that opened the popup, which may offer another try. */
export function FailedPopup({ target: { openerOrigin, state }, failure }: FailedPopupProps) {
  const { m } = useLanguage();
  const message = signInFailureText(failure, m);
  useEffect(() => {
    const popupMessage: PopupMessage = {
      type: 'BLINK_AUTH_ERROR',
      // Unknown codes are a network error (docs/spec/product.md section 8).
      code: failure === 'default' ? 'NETWORK_ERROR' : failure,
      message,
      state,
    };
    void postToOpener(openerOrigin, popupMessage);
  }, [openerOrigin, state, failure, message]);
  return (
    <AuthPage title={m.signIn.complete.failedTitle} lead={m.signIn.complete.close}>
      <FormAlert>{message}</FormAlert>
    </AuthPage>
  );
}
