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
/** The most characters of a factor's name. */
export const FACTOR_NAME_LENGTH = 100;
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

/** Holds what the Web Authentication API has returned, in its JSON form. */
export type PasskeyCredential = Readonly<Record<string, unknown>> & { id: string };

/** Shows a factor: a code of the authenticator app or a recovery code, or a passkey. */
export type FactorProof = { code: string } | { credential: PasskeyCredential };

/** Shows that the owner makes a call: the current password, or the code of a mail that was just asked for. */
export interface FreshProof {
  password?: string | undefined;
  code?: string | undefined;
  /** A code of the authenticator app or a recovery code. An account with a second factor shows that one. */
  factor?: string | undefined;
  passkey?: PasskeyCredential | undefined;
}

/** The ways in which an account can give such a proof; a call that misses one names them in its `details.proofs`. */
export type ProofKind = keyof FreshProof;

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
