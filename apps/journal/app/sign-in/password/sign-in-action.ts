import { readSecondStep } from '@fabrica/client';
import { data } from 'react-router';
import type { PageBackend } from '../../backend-context.ts';
import { clientErrorCode, type FormErrors, hasErrors, toFormErrors } from '../forms/form-errors.ts';
import { parseCode, readField } from '../forms/form-fields.ts';
import { redirectToStep } from '../second-step/step-cookie.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import { finishOnServer } from '../tokens/finish-on-server.ts';
import { checkSignInFields, passwordSignIn, readSignInFields, type SignInView } from './sign-in-fields.ts';

/** Describes the result of a form; the page shows the form again with it. */
export interface SignInOutcome {
  errors: FormErrors;
  /** The fields as they were typed, without the password. */
  typed: { email: string; displayName: string; code: string };
  /** `verify` means that the account exists, and its email is to be verified with the code of a mail. */
  step: 'credentials' | 'verify';
  /** Whether the code was right, so that the reader only has to sign in. */
  verified: boolean;
}

export interface SubmittedForm {
  target: SignInTarget;
  view: SignInView;
  fields: FormData;
  /** The query of the page, which names the target. */
  query: URLSearchParams;
}

/** Handles a form that was sent without JavaScript. */
export async function handleForm(backend: PageBackend, form: SubmittedForm) {
  return form.fields.get('intent') === 'verify' ? verifyEmail(backend, form) : signIn(backend, form);
}

async function signIn(backend: PageBackend, { target, view, fields, query }: SubmittedForm) {
  const typed = readSignInFields(fields);
  const { email, displayName } = typed;
  const outcome: SignInOutcome = {
    errors: checkSignInFields(view, typed),
    typed: { email, displayName, code: '' },
    step: 'credentials',
    verified: false,
  };
  if (hasErrors(outcome.errors) || !worksWithoutScript(target)) return data(outcome, { status: 400 });
  try {
    await passwordSignIn(view, typed)(backend.client.auth);
    return await finishOnServer(backend, target);
  } catch (error) {
    const step = readSecondStep(error);
    if (step) return redirectToStep(backend, step, query);
    if (!clientErrorCode(error)) backend.reportFailure(error);
    if (clientErrorCode(error) === 'EMAIL_NOT_VERIFIED') {
      return data({ ...outcome, step: 'verify' as const }, { status: 403 });
    }
    return data({ ...outcome, errors: toFormErrors(error) }, { status: statusOf(error) });
  }
}

async function verifyEmail({ client, reportFailure }: PageBackend, { fields }: SubmittedForm) {
  const { email } = readSignInFields(fields);
  const typedCode = readField(fields, 'code');
  const code = parseCode(typedCode);
  const outcome: SignInOutcome = {
    errors: code ? {} : { code: 'CODE_MISSING' },
    typed: { email, displayName: '', code: typedCode },
    step: 'verify',
    verified: false,
  };
  if (!code) return data(outcome, { status: 400 });
  try {
    await client.auth.verifyEmail(
      { email, code },
      { password: readField(fields, 'ownPassword') || undefined },
    );
    return data({ ...outcome, step: 'credentials' as const, verified: true });
  } catch (error) {
    if (!clientErrorCode(error)) reportFailure(error);
    return data({ ...outcome, errors: toFormErrors(error, 'code') }, { status: statusOf(error) });
  }
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0;
  return status >= 400 ? status : 500;
}
