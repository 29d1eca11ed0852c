import { data, redirect } from 'react-router';
import type { PageBackend } from '../../backend-context.ts';
import { messagesOf } from '../../language/load-messages.ts';
import { codeComplaintOf } from '../forms/code-complaint.ts';
import { errorCode } from '../forms/error-code.ts';
import { parseCode } from '../forms/form-fields.ts';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { deliverTokens, isDeliverable } from '../tokens/deliver-tokens.ts';
import { type Complaints, checkCredentials, complaintsOf, type SignInView } from './check-credentials.ts';
import { enterByPassword } from './enter-by-password.ts';
import { readCredentials, readText } from './read-credentials.ts';
import type { SignInOutcome } from './sign-in-outcome.ts';

export interface SignInForm {
  request: ServedRequest;
  view: SignInView;
  fields: FormData;
}

/**
 * A form that was sent without a script. The session of this site itself lives in the browser's storage, where no
 * answer of ours can put it; a page or an app that asked for the sign-in is handed its session all the same.
 */
export async function answerForm(backend: PageBackend, form: SignInForm) {
  return form.fields.get('intent') === 'verify' ? verifyAddress(backend, form) : signIn(backend, form);
}

async function signIn(
  { client, language, projectId, reportFailure }: PageBackend,
  { request, view, fields }: SignInForm,
) {
  const m = messagesOf(language);
  const credentials = readCredentials(fields);
  const { email, displayName } = credentials;
  const outcome: SignInOutcome = {
    complaints: checkCredentials(view, credentials, m),
    typed: { email, displayName, code: '' },
    step: 'credentials',
    verified: false,
  };
  if (Object.keys(outcome.complaints).length > 0 || !isDeliverable(request)) {
    return data(outcome, { status: 400 });
  }
  try {
    await enterByPassword(view, credentials)(client.auth);
    return redirect(await deliverTokens(client.auth, projectId, request), 303);
  } catch (error) {
    if (!errorCode(error)) reportFailure(error);
    if (errorCode(error) === 'EMAIL_NOT_VERIFIED') {
      return data({ ...outcome, step: 'verify' as const }, { status: 403 });
    }
    return refuse(outcome, complaintsOf(error, m), error);
  }
}

async function verifyAddress({ client, language, reportFailure }: PageBackend, { fields }: SignInForm) {
  const m = messagesOf(language);
  const { email } = readCredentials(fields);
  const typedCode = readText(fields, 'code');
  const code = parseCode(typedCode);
  const outcome: SignInOutcome = {
    complaints: code ? {} : { code: m.authMail.code.missing },
    typed: { email, displayName: '', code: typedCode },
    step: 'verify',
    verified: false,
  };
  if (!code) return data(outcome, { status: 400 });
  try {
    await client.auth.verifyEmail({ email, code });
    return data({ ...outcome, step: 'credentials' as const, verified: true });
  } catch (error) {
    if (!errorCode(error)) reportFailure(error);
    return refuse(outcome, codeComplaintOf(error, m), error);
  }
}

function refuse(outcome: SignInOutcome, complaints: Complaints, error: unknown) {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0;
  return data({ ...outcome, complaints }, { status: status >= 400 ? status : 500 });
}
