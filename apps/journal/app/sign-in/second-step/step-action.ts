import type { SecondStepDetails } from '@fabrica/contract';
import { data } from 'react-router';
import type { PageBackend } from '../../backend-context.ts';
import { clientErrorCode } from '../forms/form-errors.ts';
import { readField } from '../forms/form-fields.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import { finishOnServer, keepSession } from '../tokens/finish-on-server.ts';
import { readStepCookie, removeStepCookie } from './step-cookie.ts';
import { failedState, type StepState } from './step-state.ts';

/** Takes the second step for a form that was sent without JavaScript. */
export async function takeStepOnServer(backend: PageBackend, target: SignInTarget, fields: FormData) {
  const step = readStepCookie(backend);
  const state: StepState = { step, errors: {} };
  if (!step || !worksWithoutScript(target)) return data(state, { status: 400 });
  try {
    switch (fields.get('intent')) {
      case 'code':
        return await showCode(backend, target, { step, code: readField(fields, 'code') });
      case 'begin-app':
        return data({ ...state, app: await backend.client.auth.beginTotp({ ticket: step.ticket }) });
      case 'app':
        return await addApp(backend, step, fields);
      default:
        return data(state, { status: 400 });
    }
  } catch (error) {
    if (!clientErrorCode(error)) backend.reportFailure(error);
    const next = failedState({ ...state, app: readApp(fields) }, error);
    if (!next.step) removeStepCookie(backend);
    return data(next, { status: 400 });
  }
}

async function showCode(
  backend: PageBackend,
  target: Parameters<typeof finishOnServer>[1],
  { step, code }: { step: SecondStepDetails; code: string },
) {
  if (!code.trim()) {
    return data<StepState>({ step, errors: { code: 'FACTOR_MISSING' } }, { status: 400 });
  }
  await backend.client.auth.takeSecondStep(step.ticket, { code });
  removeStepCookie(backend);
  return finishOnServer(backend, target);
}

/** Sets the app up and keeps the session. The page shows the recovery codes and leads on. */
async function addApp(backend: PageBackend, step: SecondStepDetails, fields: FormData) {
  const code = readField(fields, 'code');
  const app = readApp(fields);
  if (!app || !code.trim()) {
    return data<StepState>({ step, app, errors: { code: 'FACTOR_MISSING' } }, { status: 400 });
  }
  const { setUp } = app;
  const { recoveryCodes } = await backend.client.auth.addTotp({ ticket: step.ticket, setUp, code });
  removeStepCookie(backend);
  await keepSession(backend);
  return data<StepState>({ step, errors: {}, recoveryCodes, isSignedIn: true });
}

/** Returns the app of the form, so that a wrong code does not begin it anew. */
function readApp(fields: FormData): StepState['app'] {
  const [secret, uri, setUp] = ['secret', 'uri', 'setUp'].map((name) => readField(fields, name));
  return secret && uri && setUp ? { secret, uri, setUp } : undefined;
}
