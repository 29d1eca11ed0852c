import type { FabricaClient } from '@fabrica/client';

/** The page that acts on a session which the server keeps. */
export const SESSION_PATH = '/auth/session';
/** Milliseconds before the second attempt; each further pause is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Takes the session that the server keeps over into this browser's storage, where scripts have their sessions, so that
 * there is one session. Until that succeeds the page is not hydrated: its forms work without a script. Where the session
 * is over, or another tab has taken it, the page is loaded again.
 */
export async function takeSession({ auth }: Pick<FabricaClient, 'auth'>): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const response = await post('take').catch(() => undefined);
    if (response?.ok) {
      auth.adoptSession(await response.json());
      // If this request is lost, the next page takes the same session again.
      return void post('taken').catch(() => undefined);
    }
    if (response?.status === 401) {
      window.location.reload();
      return new Promise(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function post(intent: 'take' | 'taken'): Promise<Response> {
  return fetch(SESSION_PATH, { method: 'POST', body: new URLSearchParams({ intent }), keepalive: true });
}
