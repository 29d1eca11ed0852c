import type { PopupMessage } from '@fabrica/contract';
import { useEffect } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { AuthPage } from '../forms/auth-page.tsx';
import { FormAlert } from '../forms/form-alert.tsx';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { answerOpener } from '../tokens/opener-window.ts';
import { type Failure, failureText } from './provider-failure.ts';

export interface FailedPopupProps {
  request: Extract<ServedRequest, { kind: 'popup' }>;
  failure: Failure;
}

/** A provider's refusal in a popup: told to the window that opened it, which may offer another try. */
export function FailedPopup({ request: { openerOrigin, state }, failure }: FailedPopupProps) {
  const { m } = useLanguage();
  const message = failureText(failure, m);
  useEffect(() => {
    const answer: PopupMessage = {
      type: 'BLINK_AUTH_ERROR',
      // Unknown codes are a network error (docs/spec/product.md section 8).
      code: failure === 'default' ? 'NETWORK_ERROR' : failure,
      message,
      state,
    };
    answerOpener(openerOrigin, answer);
  }, [openerOrigin, state, failure, message]);
  return (
    <AuthPage title={m.signIn.complete.failedTitle} lead={m.signIn.complete.close}>
      <FormAlert>{message}</FormAlert>
    </AuthPage>
  );
}
