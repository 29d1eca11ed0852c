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

/**
 * Returns who is signed in, as this page was rendered: on the server and while the page is hydrated, this is the reader
 * whose session the server keeps, or `loading`.
 */
export function usePageAuth(): AuthState {
  const { auth } = useClient();
  return useSyncExternalStore(
    (listener) => auth.subscribe(listener),
    () => auth.getState(),
    () => {
      const state = auth.getState();
      return state.status === 'authenticated' && isRenderedForSession() ? state : loadingState;
    },
  );
}

/** Tells whether the server rendered this document for a session that it keeps. */
function isRenderedForSession(): boolean {
  return typeof document === 'undefined' || document.documentElement.dataset.session !== undefined;
}

/** Returns who is signed in. On the server it is always `loading`, for what a script alone shows. */
export function useAuth(): AuthState {
  const { auth } = useClient();
  return useSyncExternalStore(
    (listener) => auth.subscribe(listener),
    () => auth.getState(),
    () => loadingState,
  );
}
