/** Limits that both sides agree on. Source: docs/spec/product.md section 9 and the wire contract. */

/** Seconds an access token lives. */
export const ACCESS_TOKEN_SECONDS = 900;
/** Seconds it may live at most, whatever the operator says. */
export const MAX_ACCESS_TOKEN_SECONDS = 3_600;
/** Seconds a refresh token lives: 30 days. */
export const REFRESH_TOKEN_SECONDS = 2_592_000;
/** An access token counts as expired this many milliseconds before its end. */
export const EXPIRY_MARGIN_MS = 30_000;
/** Milliseconds an embedded page waits for its parent window to hand tokens down. */
export const PARENT_TOKEN_WAIT_MS = 100;

/** Bytes of one upload at most: 50 MB. */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
/** Images of one AI call at most. */
export const MAX_AI_IMAGES = 50;
/** Tokens of one translation at most. */
export const TRANSLATION_MAX_TOKENS = 2_000;
/** Milliseconds one AI call may take to its first byte. */
export const AI_TIMEOUT_MS = 30_000;

/** Rows of one answer when no limit is asked for. */
export const DEFAULT_ROW_LIMIT = 1_000;
/** Rows of one answer at most. */
export const MAX_ROW_LIMIT = 10_000;

export const PASSWORD_MIN_LENGTH = 10;
export const PASSWORD_MAX_LENGTH = 200;

/** Milliseconds a sign-in in a popup may take. */
export const POPUP_TIMEOUT_MS = 300_000;
/** Milliseconds between two looks at whether the popup was closed. */
export const POPUP_CLOSED_CHECK_MS = 1_000;

/** Minutes that the link of a mail is good for. */
export const LINK_MINUTES = { 'verify-email': 1_440, 'magic-link': 15, 'reset-password': 60 } as const;
/** Minutes that the six-digit code of a mail is good for, and how often it may be tried. */
export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;
