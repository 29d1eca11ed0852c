import type { AuthClient } from '@fabrica/client';
import type { PasskeyAttestation } from '@fabrica/contract';
import { data } from 'react-router';
import { clientErrorCode } from '../forms/form-errors.ts';
import { readField } from '../forms/form-fields.ts';
import { readCredential } from '../password/sign-in-action.ts';
import { goOn, type SigningIn, signIn } from '../tokens/signing-in.ts';
import { failedState, type StepState } from './step-state.ts';

/** Takes the second step of a sign-in, or sets the first factor up where the role has to have one. */
export async function takeStep(signingIn: SigningIn | undefined, fields: FormData) {
  const intent = readField(fields, 'intent');
  const state: StepState = { step: signingIn?.step, app: readApp(fields), errors: {} };
  if (!signingIn || !(state.step || intent === 'go-on')) return data(state, { status: 400 });
  if ((intent === 'code' || intent === 'app') && !readField(fields, 'code').trim()) {
    return data<StepState>({ ...state, errors: { code: 'FACTOR_MISSING' } }, { status: 400 });
  }
  try {
    return (await act(signingIn, state, fields)) ?? data(state, { status: 400 });
  } catch (error) {
    if (!clientErrorCode(error)) signingIn.reportFailure(error);
    const next = failedState(state, error, intent === 'passkey');
    if (!next.step) signingIn.setStep(undefined);
    return data(next, { status: 400 });
  }
}

async function act(signingIn: SigningIn, state: StepState, fields: FormData) {
  const { ticket = '', setUp: mustSetUp } = state.step ?? {};
  const code = readField(fields, 'code');
  switch (readField(fields, 'intent')) {
    case 'code':
      return signIn(signingIn, (auth) => auth.takeSecondStep(ticket, { code }));
    case 'passkey': {
      if (!mustSetUp) {
        const credential = readCredential(fields);
        return signIn(signingIn, (auth) => auth.takeSecondStep(ticket, { credential }));
      }
      const credential = readCredential<PasskeyAttestation>(fields);
      return addFactor(signingIn, state, (auth) => auth.addPasskey({ ticket, credential }));
    }
    case 'begin-app':
      return data<StepState>({ ...state, app: await signingIn.auth.beginTotp({ ticket }) });
    case 'app': {
      const { setUp } = state.app ?? { setUp: '' };
      return addFactor(signingIn, state, (auth) => auth.addTotp({ ticket, setUp, code }));
    }
    case 'go-on':
      return goOn(signingIn);
    default:
      return undefined;
  }
}

/** Adds the first factor, which signs in. The page shows the recovery codes before it leads on. */
async function addFactor(
  signingIn: SigningIn,
  state: StepState,
  add: (auth: AuthClient) => Promise<{ recoveryCodes?: string[] }>,
) {
  const { recoveryCodes = [] } = await add(signingIn.auth);
  signingIn.setStep(undefined);
  await signingIn.keep();
  return data<StepState>({ ...state, recoveryCodes });
}

/** Returns the app of the form, so that a wrong code does not begin it anew. */
function readApp(fields: FormData): StepState['app'] {
  const [secret, uri, setUp] = ['secret', 'uri', 'setUp'].map((name) => readField(fields, name));
  return secret && uri && setUp ? { secret, uri, setUp } : undefined;
}
