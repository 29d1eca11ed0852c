import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { createPasskey, getPasskey } from '../../factors/passkey.ts';
import { useOneAtATime } from '../forms/use-one-at-a-time.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import type { SignInCall } from '../tokens/hand-over-tokens.ts';
import { useFinishSignIn } from '../tokens/use-finish-sign-in.ts';
import { failedState, type StepState } from './step-state.ts';

type Action = 'code' | 'passkey' | 'begin-app' | 'app';

export interface SecondStep {
  state: StepState;
  busy: Action | undefined;
  /** Shows a code of the app or a recovery code, and goes on. */
  showCode(code: string): Promise<void>;
  /** Shows a passkey, or makes the first one, and goes on. */
  showPasskey(): Promise<void>;
  beginApp(): Promise<void>;
  addApp(code: string): Promise<void>;
  /** Goes on once the recovery codes are kept. */
  goOn(): void;
}

/** Takes the second step in the browser. The session stays here until the recovery codes are kept. */
export function useSecondStep(target: SignInTarget, initial: StepState): SecondStep {
  const { auth } = useClient();
  const finish = useFinishSignIn(target);
  const [state, setState] = useState(initial);
  const [proceed, setProceed] = useState<() => void>();
  const { busy, run } = useOneAtATime<Action>();
  const ticket = state.step?.ticket ?? '';

  const act = (action: Action, work: () => Promise<void>) =>
    run(action, async () => {
      setState((shown) => ({ ...shown, errors: {} }));
      await work().catch((error: unknown) =>
        setState((shown) => failedState(shown, error, action === 'passkey')),
      );
    });
  const showCodes = (recoveryCodes: readonly string[] = []) => {
    setState((shown) => ({ ...shown, recoveryCodes }));
    return new Promise<void>((resolve) => setProceed(() => resolve));
  };
  const add = (call: (auth: Parameters<SignInCall>[0]) => Promise<{ recoveryCodes?: string[] }>) =>
    finish(async (client) => showCodes((await call(client)).recoveryCodes));

  return {
    state,
    busy,
    showCode: (code) =>
      code.trim()
        ? act('code', () => finish((client) => client.takeSecondStep(ticket, { code })))
        : missing(setState),
    showPasskey: () =>
      act('passkey', async () => {
        if (state.step?.setUp) {
          const credential = await createPasskey(await auth.beginPasskey({ ticket }));
          return add((client) => client.addPasskey({ ticket, credential }));
        }
        const credential = await getPasskey(await auth.secondStepOptions(ticket));
        return finish((client) => client.takeSecondStep(ticket, { credential }));
      }),
    beginApp: () =>
      act('begin-app', async () => {
        const app = await auth.beginTotp({ ticket });
        setState((shown) => ({ ...shown, app }));
      }),
    addApp: (code) =>
      code.trim()
        ? act('app', () => add((client) => client.addTotp({ ticket, setUp: state.app?.setUp ?? '', code })))
        : missing(setState),
    goOn: () => proceed?.(),
  };
}

async function missing(setState: (change: (shown: StepState) => StepState) => void): Promise<void> {
  setState((shown) => ({ ...shown, errors: { code: 'FACTOR_MISSING' } }));
}
