import { PARENT_TOKEN_TIMEOUT_MS } from '@fabrica/contract';
import type { WindowLike } from '../../browser/window.ts';
import type { StoredTokens } from '../auth-state.ts';
import { parseTokens } from './tokens.ts';

interface ParentWindowOptions {
  window: WindowLike;
  projectId: string;
  allowedOrigins: readonly string[];
  now: () => number;
  /** Removes the listener. */
  signal: AbortSignal;
  onTokens(tokens: StoredTokens): void;
  onSignOut(): void;
}

export interface ParentWindow {
  /** Requests tokens. Resolves after `onTokens` or `onSignOut` was called, or after 100 ms. */
  requestTokens(): Promise<void>;
}

/**
 * Listens to the window that embeds this one, and to no other. Returns undefined if there is no such window, or if no
 * origin is allowed.
 */
export function listenToParentWindow(options: ParentWindowOptions): ParentWindow | undefined {
  const { window, projectId, allowedOrigins, now, signal, onTokens, onSignOut } = options;
  const { parent } = window;
  if ((parent as unknown) === window || allowedOrigins.length === 0) return undefined;
  let endWait = () => {};

  const onMessage = (event: Event) => {
    const { source, origin, data } = event as MessageEvent<unknown>;
    if ((source as unknown) !== parent || !allowedOrigins.includes(origin)) return;
    if (typeof data !== 'object' || data === null) return;
    const message = data as Record<string, unknown>;
    if (message.projectId !== undefined && message.projectId !== projectId) return;
    if (message.type === 'BLINK_AUTH_LOGOUT') onSignOut();
    else if (message.type === 'BLINK_AUTH_TOKENS') {
      const tokens = parseTokens(message.tokens ?? message, now());
      if (!tokens) return;
      onTokens(tokens);
    } else return;
    endWait();
  };
  window.addEventListener('message', onMessage, { signal });

  return {
    requestTokens: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, PARENT_TOKEN_TIMEOUT_MS);
        endWait = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', endWait, { once: true });
        // The request holds no secret, and `onMessage` checks who replies: any target origin will do.
        parent.postMessage({ type: 'BLINK_REQUEST_AUTH_TOKENS', projectId }, '*');
      }),
  };
}
