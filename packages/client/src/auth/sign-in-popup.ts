import { POPUP_CLOSED_CHECK_MS, POPUP_TIMEOUT_MS } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import { AuthError, errorFromCode, FabricaError } from '../http/errors.ts';
import type { StoredTokens } from './auth-state.ts';
import { parseTokens } from './session/tokens.ts';

const FEATURES = 'popup,width=480,height=720';
/** Milliseconds to wait for a last message after the popup was closed. */
const LAST_MESSAGE_MS = 100;

interface PopupOptions {
  window: WindowLike;
  url: string;
  /** Messages from other origins are ignored. */
  origin: string;
  projectId: string;
  /** The value that the popup was opened with and must return. */
  state: string;
  now: () => number;
}

export interface SignInPopup {
  /**
   * Rejects with POPUP_CANCELED if the popup is closed, with AUTH_TIMEOUT after 300 s, with VERIFICATION_FAILED if
   * state or project differ, or with the error that the popup reports. The popup is closed afterwards.
   */
  readonly tokens: Promise<StoredTokens>;
  readonly isOpen: boolean;
  focus(): void;
  cancel(): void;
}

/** Opens the popup at once, as a click handler must. Returns null if the browser blocks it. */
export function openSignInPopup(options: PopupOptions): SignInPopup | null {
  const { window, url, origin } = options;
  const popup = window.open(url, '_blank', FEATURES);
  if (!popup || popup.closed) return null;
  const result = Promise.withResolvers<StoredTokens>();
  const listening = new AbortController();
  const cancel = () => result.reject(new AuthError('POPUP_CANCELED'));

  const timeout = setTimeout(() => result.reject(new AuthError('AUTH_TIMEOUT')), POPUP_TIMEOUT_MS);
  let lastMessageTimer: ReturnType<typeof setTimeout> | undefined;
  const closedCheck = setInterval(() => {
    if (popup.closed) lastMessageTimer ??= setTimeout(cancel, LAST_MESSAGE_MS);
  }, POPUP_CLOSED_CHECK_MS);

  const onMessage = (event: Event) => {
    const { source, origin: sender, data } = event as MessageEvent<unknown>;
    if ((source as unknown) !== popup || sender !== origin) return;
    const outcome = parseMessage(data, options);
    if (outcome instanceof FabricaError) result.reject(outcome);
    else if (outcome) result.resolve(outcome);
  };
  window.addEventListener('message', onMessage, { signal: listening.signal });

  const tokens = result.promise.finally(() => {
    listening.abort();
    clearTimeout(timeout);
    clearTimeout(lastMessageTimer);
    clearInterval(closedCheck);
    popup.close();
  });
  return {
    tokens,
    cancel,
    focus: () => popup.focus(),
    get isOpen() {
      return !popup.closed;
    },
  };
}

/** Returns the tokens or the error of a message, or undefined for a message about something else. */
function parseMessage(data: unknown, options: PopupOptions): StoredTokens | FabricaError | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, state, projectId, code } = data as Record<string, unknown>;
  const isError = type === 'BLINK_AUTH_ERROR';
  if (!isError && type !== 'BLINK_AUTH_TOKENS') return undefined;
  // The message belongs to another sign-in: somebody may have sent the popup to one of their own.
  if (state !== options.state) return new AuthError('VERIFICATION_FAILED');
  if (isError) return errorFromCode(code);
  if (projectId !== options.projectId) return new AuthError('VERIFICATION_FAILED');
  return parseTokens(data, options.now()) ?? new AuthError('VERIFICATION_FAILED');
}
