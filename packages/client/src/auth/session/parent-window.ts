import { PARENT_TOKEN_TIMEOUT_MS } from '@fabrica/contract';
import type { WindowLike } from '../../browser/window.ts';
import type { StoredTokens } from '../auth-state.ts';
import { parseTokens } from './tokens.ts';

export interface ParentWindowOptions {
  window: WindowLike;
  projectId: string;
  allowedOrigins: readonly string[];
  now: () => number;
  /** Ends the listening. */
  signal: AbortSignal;
  onTokens(tokens: StoredTokens): void;
  onSignOut(): void;
}

export interface ParentWindow {
  /** Asks for tokens; resolves once an answer was handed to `onTokens` or `onSignOut`, or after 100 ms. */
  ask(): Promise<void>;
}

/** The window that embeds ours, if there is one and its origins are named; all others are not heard. */
export function listenToParentWindow(options: ParentWindowOptions): ParentWindow | undefined {
  const { window, projectId, allowedOrigins, now, signal, onTokens, onSignOut } = options;
  const { parent } = window;
  if ((parent as unknown) === window || allowedOrigins.length === 0) return undefined;
  let answered = () => {};

  const hear = (event: Event) => {
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
    answered();
  };
  window.addEventListener('message', hear, { signal });

  return {
    ask: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, PARENT_TOKEN_TIMEOUT_MS);
        answered = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', answered, { once: true });
        // Nothing secret is asked with, and whose answer is heard is decided above: any target will do.
        parent.postMessage({ type: 'BLINK_REQUEST_AUTH_TOKENS', projectId }, '*');
      }),
  };
}
