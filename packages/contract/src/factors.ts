import type { ProofKind } from './schemas/auth.ts';

/** Names what proves, beside a password, a mail or a provider, that the owner of an account signs in. */
export type FactorKind = 'passkey' | 'totp';

/** Names what was shown as the second step of a sign-in. Recovery codes stand in for a factor that is not at hand. */
export type SecondStep = FactorKind | 'recovery-code';

/** Names what a sign-in asks for. The code of a mail confirms a new provider to an account without a factor. */
export type AskedStep = SecondStep | 'mail-code';

/** The number of recovery codes that an account gets at a time. */
export const RECOVERY_CODES = 10;
/** The most passkeys of an account; there is one authenticator app at most. */
export const MAX_PASSKEYS = 10;
/** Minutes in which a sign-in has to take its second step. */
export const SECOND_STEP_MINUTES = 10;

/** A factor as the owner of the account sees it. */
export interface FactorInfo {
  id: string;
  kind: FactorKind;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; null until it is used. */
  lastUsedAt: string | null;
}

/** The response of `GET /api/auth/factors`. */
export interface FactorList {
  /** Oldest first. */
  factors: FactorInfo[];
  /** Recovery codes that were not used yet. */
  recoveryCodesLeft: number;
  /** Whether the account's role asks for a second factor. */
  required: boolean;
  /** The proofs by which the owner can change them. */
  proofs: ProofKind[];
  hasPassword: boolean;
}

/** The details of `SECOND_FACTOR_REQUIRED`: the sign-in goes on with the ticket. */
export interface SecondStepDetails {
  /** Good for one sign-in, and for a few minutes. */
  ticket: string;
  /** Seconds. */
  expiresIn: number;
  /** The factors that the account can show; empty when it has no factor yet. */
  methods: AskedStep[];
  /** True when the role asks for a factor and the account has none: it is set up with the ticket. */
  setUp: boolean;
}

/** The options of a call of the Web Authentication API, in its JSON form. */
export type PasskeyOptions = Readonly<Record<string, unknown>>;

/** An authenticator app that is being set up. */
export interface TotpSetUp {
  /** In Base32, for typing it in. */
  secret: string;
  /** An `otpauth:` URL, for a QR code. */
  uri: string;
  /** Sent back with the first code of the app. */
  setUp: string;
}

/** The response to a factor that was added. */
export interface AddedFactor {
  factor: FactorInfo;
  /** Only with the first factor. They are shown this once. */
  recoveryCodes?: string[];
}
