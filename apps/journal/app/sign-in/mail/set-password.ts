import type { FabricaClient } from '@fabrica/client';

type Auth = FabricaClient['auth'];

/** Sets a forgotten password anew. That ends all sessions of the account: should one be ours, it is over here too. */
export async function setPassword(
  auth: Auth,
  proof: Parameters<Auth['confirmPasswordReset']>[0],
  password: string,
): Promise<void> {
  await auth.confirmPasswordReset(proof, password);
  if (auth.getState().status !== 'authenticated') return;
  await auth.me().catch(() => {
    // The client has seen by now whose session has ended; the password is set in any case.
  });
}
