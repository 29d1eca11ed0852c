/** Seconds that an access token is valid for by default. */
export const ACCESS_TOKEN_SECONDS = 900;
/** The most seconds that an operator may set for it. */
export const MAX_ACCESS_TOKEN_SECONDS = 3_600;
/** Seconds that a refresh token is valid for: 30 days. */
export const REFRESH_TOKEN_SECONDS = 2_592_000;
/** Milliseconds before its end at which an access token counts as expired. */
export const EXPIRY_MARGIN_MS = 30_000;
/** Milliseconds that an embedded page waits for tokens from its parent window. */
export const PARENT_TOKEN_TIMEOUT_MS = 100;

export const PASSWORD_MIN_LENGTH = 10;
export const PASSWORD_MAX_LENGTH = 200;

/** Milliseconds that a sign-in in a popup may take. */
export const POPUP_TIMEOUT_MS = 300_000;
/** Milliseconds between two checks whether the popup was closed. */
export const POPUP_CLOSED_CHECK_MS = 1_000;

/** Minutes that the link in a mail is valid for. */
export const LINK_MINUTES = { 'verify-email': 1_440, 'magic-link': 15, 'reset-password': 60 } as const;
/** Minutes that the code in a mail is valid for. */
export const CODE_MINUTES = 10;
/** The most attempts to enter such a code. */
export const CODE_TRIES = 5;

/** Tells whether a text contains an e-mail address. Names must not, because they are shown to everybody. */
export function looksLikeEmail(text: string): boolean {
  return /[^\s@]@[^\s@]+\.[^\s@]/.test(text);
}

/** An account as its own user sees it. */
export interface User {
  id: string;
  email: string;
  displayName: string | null;
  photoURL: string | null;
  emailVerified: boolean;
  role: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastSignInAt: string | null;
}

/** An account as those see it who may give roles. */
export interface Person extends Omit<User, 'emailVerified'> {
  /** Whether an operator has disabled the account. */
  disabled: boolean;
}

/** The tokens that sign-in and refresh return. */
export interface TokenSet {
  access_token: string;
  refresh_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  /** Seconds. */
  refresh_expires_in: number;
}

export interface SignInResponse extends TokenSet {
  user: User;
}

/** The claims of an access token. */
export interface AccessTokenClaims {
  sub: string;
  email: string;
  project_id: string;
  role: string;
  type: 'access';
}

/** An active session: one sign-in on one device. */
export interface SessionInfo {
  id: string;
  /** True for the session that makes this call. */
  current: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; the last refresh of its tokens. */
  lastUsedAt: string;
  /** Browser and system, such as `Firefox, Windows`; null if they are unknown. */
  device: string | null;
  method: SignInMethod;
}

/** The way in which a session was started; `provider:<id>` stands for a sign-in at an identity provider. */
export type SignInMethod = 'password' | 'passkey' | 'magic-link' | 'hand-over' | `provider:${string}`;

/** The response of `/api/auth/introspect`. */
export type Introspection =
  | {
      valid: true;
      userId: string;
      email: string;
      projectId: string;
      tokenType: 'access';
      appRole: string;
      /** Seconds since the epoch. */
      exp: number;
    }
  | { valid: false; error: string };

/** The message that a popup of `/auth` posts to the window that opened it (wire contract, `/auth`). */
export type PopupMessage =
  | (TokenSet & { type: 'BLINK_AUTH_TOKENS'; projectId: string; state: string | null })
  | { type: 'BLINK_AUTH_ERROR'; code: string; message: string; state: string | null };
