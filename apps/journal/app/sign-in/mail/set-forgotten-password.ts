import type { FabricaClient } from '@fabrica/client';

type Auth = FabricaClient['auth'];

/** Sets a forgotten password. This ends all sessions of the account, so a session of this client is checked afterwards. */
export async function setForgottenPassword(
  auth: Auth,
  proof: Parameters<Auth['confirmPasswordReset']>[0],
  password: string,
): Promise<void> {
  await auth.confirmPasswordReset(proof, password);
  if (auth.getState().status !== 'authenticated') return;
  await auth.me().catch(() => {
    // The client has noticed by now if its session has ended. The password is set in any case.
  });
}
