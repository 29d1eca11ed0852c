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

export interface SignInAnswer extends TokenSet {
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
