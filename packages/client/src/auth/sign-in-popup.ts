import { POPUP_CLOSED_CHECK_MS, POPUP_TIMEOUT_MS } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import { AuthError, errorFromCode, FabricaError } from '../http/errors.ts';
import type { StoredTokens } from './auth-state.ts';
import { parseTokens } from './session/tokens.ts';

const FEATURES = 'popup,width=480,height=720';
/** Milliseconds that a message of a closed popup may still be on its way. */
const LAST_MESSAGE_MS = 100;

export interface PopupOptions {
  window: WindowLike;
  address: string;
  /** The only origin whose messages are heard. */
  origin: string;
  projectId: string;
  /** What the popup was opened with, and must hand back. */
  state: string;
  now: () => number;
}

export interface SignInPopup {
  /**
   * Throws POPUP_CANCELED when the popup is closed, AUTH_TIMEOUT after 300 s, VERIFICATION_FAILED when state or project
   * are not ours, else what the popup says. The popup is closed in any case.
   */
  readonly tokens: Promise<StoredTokens>;
  readonly isOpen: boolean;
  focus(): void;
  cancel(): void;
}

/** Opens the popup now, in the click that this is called in; null when the browser blocks it. */
export function openSignInPopup(options: PopupOptions): SignInPopup | null {
  const { window, address, origin } = options;
  const popup = window.open(address, '_blank', FEATURES);
  if (!popup || popup.closed) return null;
  const end = Promise.withResolvers<StoredTokens>();
  const over = new AbortController();
  const cancel = () => end.reject(new AuthError('POPUP_CANCELED'));

  const timeOut = setTimeout(() => end.reject(new AuthError('AUTH_TIMEOUT')), POPUP_TIMEOUT_MS);
  let lastMessage: ReturnType<typeof setTimeout> | undefined;
  const closedCheck = setInterval(() => {
    if (popup.closed) lastMessage ??= setTimeout(cancel, LAST_MESSAGE_MS);
  }, POPUP_CLOSED_CHECK_MS);

  const hear = (event: Event) => {
    const { source, origin: sender, data } = event as MessageEvent<unknown>;
    if ((source as unknown) !== popup || sender !== origin) return;
    const outcome = parseMessage(data, options);
    if (outcome instanceof FabricaError) end.reject(outcome);
    else if (outcome) end.resolve(outcome);
  };
  window.addEventListener('message', hear, { signal: over.signal });

  const tokens = end.promise.finally(() => {
    over.abort();
    clearTimeout(timeOut);
    clearTimeout(lastMessage);
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

/** Undefined for a message about something else. */
function parseMessage(data: unknown, options: PopupOptions): StoredTokens | FabricaError | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, state, projectId, code } = data as Record<string, unknown>;
  const isError = type === 'BLINK_AUTH_ERROR';
  if (!isError && type !== 'BLINK_AUTH_TOKENS') return undefined;
  // An answer to another question: somebody may have led the popup to a sign-in of their own.
  if (state !== options.state) return new AuthError('VERIFICATION_FAILED');
  if (isError) return errorFromCode(code);
  if (projectId !== options.projectId) return new AuthError('VERIFICATION_FAILED');
  return parseTokens(data, options.now()) ?? new AuthError('VERIFICATION_FAILED');
}
