/** Seconds an access token lives. */
export const ACCESS_TOKEN_SECONDS = 900;
/** Seconds it may live at most, whatever the operator says. */
export const MAX_ACCESS_TOKEN_SECONDS = 3_600;
/** Seconds a refresh token lives: 30 days. */
export const REFRESH_TOKEN_SECONDS = 2_592_000;
/** An access token counts as expired this many milliseconds before its end. */
export const EXPIRY_MARGIN_MS = 30_000;
/** Milliseconds an embedded page waits for its parent window to hand tokens down. */
export const PARENT_TOKEN_TIMEOUT_MS = 100;

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

/** A user as `present` shows it to the user itself. */
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

/** What sign-in and refresh answer. */
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

/** Claims of an access token. */
export interface AccessTokenClaims {
  sub: string;
  email: string;
  project_id: string;
  role: string;
  type: 'access';
}

/** An open session: one sign-in on one device. */
export interface SessionInfo {
  id: string;
  /** The session that asks. */
  current: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; the last refresh of its tokens. */
  lastUsedAt: string;
  /** Browser and system in words (`Firefox, Windows`); null when the caller did not say. */
  device: string | null;
  method: SignInMethod;
}

/** How a session began: `provider:<id>` for one of an identity provider. */
export type SignInMethod = 'password' | 'magic-link' | 'hand-over' | `provider:${string}`;

/** What `/api/auth/introspect` says of a token. */
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

/** What a popup of `/auth` posts to the window that opened it (wire contract, `/auth`). */
export type PopupMessage =
  | (TokenSet & { type: 'BLINK_AUTH_TOKENS'; projectId: string; state: string | null })
  | { type: 'BLINK_AUTH_ERROR'; code: string; message: string; state: string | null };
