import { type AuthState, type FabricaClient, loadingState } from '@fabrica/client';
import { createContext, type ReactNode, use, useSyncExternalStore } from 'react';

const ClientContext = createContext<FabricaClient | null>(null);

/** Provides the client of the pages: an anonymous one on the server, the reader's own in the browser. */
export function ClientProvider({ client, children }: { client: FabricaClient; children: ReactNode }) {
  return <ClientContext value={client}>{children}</ClientContext>;
}

export function useClient(): FabricaClient {
  const client = use(ClientContext);
  if (!client) throw new Error('useClient needs a ClientProvider above it.');
  return client;
}

/** Returns who is signed in. On the server it is always `loading`, as pages are rendered alike for everyone. */
export function useAuth(): AuthState {
  const { auth } = useClient();
  return useSyncExternalStore(
    (listener) => auth.subscribe(listener),
    () => auth.getState(),
    () => loadingState,
  );
}
