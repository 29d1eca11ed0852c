import { wideIpKey } from '../../../http/networks.ts';
import type { GrowingDelay, RateLimit, RateLimits } from '../../../http/rate-limit.ts';
import type { HashingPriority } from '../passwords/password-hasher.ts';

/** The largest body of this service's requests, in bytes. */
export const MAX_AUTH_BYTES = 16 * 1024;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Limits by the caller's network, which a school or an office shares. */
const byIp = {
  signUp: { name: 'sign-up-ip', points: 60, duration: HOUR },
  signIn: { name: 'sign-in-ip', points: 60, duration: 5 * MINUTE },
  /** Challenges, which every visitor of the sign-in page gets. */
  passkeyOptions: { name: 'passkey-options-ip', points: 600, duration: 5 * MINUTE },
  refresh: { name: 'refresh-ip', points: 600, duration: 5 * MINUTE },
  /** Mails of one kind to any e-mail. */
  mail: { name: 'mail-ip', points: 30, duration: HOUR },
  /** Mailed tokens and codes. */
  proof: { name: 'proof-ip', points: 60, duration: 15 * MINUTE },
  password: { name: 'password-ip', points: 60, duration: 15 * MINUTE },
  introspect: { name: 'introspect-ip', points: 3_000, duration: 5 * MINUTE },
  provider: { name: 'provider-ip', points: 90, duration: 5 * MINUTE },
  /** An app asks twice a second whether its user has signed in. */
  poll: { name: 'poll-ip', points: 1_500, duration: 5 * MINUTE },
} satisfies Record<string, RateLimit>;

export type LimitedCall = keyof typeof byIp;

/** Guesses at a password or a code from one network or device. */
const GUESSES = { free: 10, firstSeconds: 30, longestSeconds: 15 * MINUTE };
/** The same while an account is guessed at from many networks. A fresh network may always try. */
const GUESSES_UNDER_ATTACK = { free: 3, firstSeconds: MINUTE, longestSeconds: HOUR };
const UNDER_ATTACK = 100;

const SIGN_UPS: RateLimit = { name: 'sign-up-account', points: 10, duration: HOUR };
const REFRESHES: RateLimit = { name: 'refresh-account', points: 300, duration: 5 * MINUTE };

/** Mails of one kind to one e-mail, from one network or device. */
const MAILS: RateLimit = { name: 'mail-account-ip', points: 6, duration: HOUR };
/** The same from all networks together: the first one of each network, and further ones. */
const MAILS_FIRST: GrowingDelay = { name: 'mail-first', free: 60, firstSeconds: MINUTE, longestSeconds: 600 };
const MAILS_FURTHER: GrowingDelay = {
  name: 'mail-further',
  free: 20,
  firstSeconds: MINUTE,
  longestSeconds: 600,
};

/** Codes that are tried for one e-mail from all unknown devices together. Links are not limited by it. */
const CODES: RateLimit = {
  name: 'code-account',
  points: 100,
  duration: 24 * HOUR,
  message: 'Too many codes were tried for this address today. Please use the link in the email.',
};
/** Tried codes of a day after which new ones are longer: a six-digit code is then as good as none. */
const MANY_CODES = 10;
const DIGITS = { usual: 6, underAttack: 8 } as const;

export interface Attempt {
  call: 'signUp' | 'signIn' | 'refresh' | 'mail' | 'proof' | 'password';
  clientIp: string;
  projectId: string;
  /** The e-mail or the user's id. */
  account: string;
  /** The browser's own id when the account was used in it before (see `DeviceCookies`). */
  device?: string | undefined;
  /** The kind of a mail: each has a budget of its own. */
  kind?: string;
}

/** Throws `RATE_LIMITED`. */
export function limitByIp(limits: RateLimits, call: LimitedCall, clientIp: string, kind = ''): Promise<void> {
  return limits.consumeByIp(byIp[call], clientIp, { scope: kind });
}

/**
 * Counts an attempt at an account. Strangers cannot keep its owner out: guesses are counted by network, and apart for
 * browsers that the account was used in before. Throws `RATE_LIMITED`.
 */
export async function limitByAccount(limits: RateLimits, attempt: Attempt): Promise<void> {
  const scope = scopeOf(attempt);
  switch (attempt.call) {
    case 'signUp':
      return limits.consumeByIp(SIGN_UPS, attempt.clientIp, { scope: `${scope}:` });
    case 'refresh':
      return limits.consume(REFRESHES, scope);
    case 'mail':
      return limitMails(limits, attempt);
    case 'proof':
      if (!attempt.device) await limits.consume(CODES, scope);
      return delayGuess(limits, attempt, GUESSES);
    default:
      return delayGuess(limits, attempt, await guessesAllowed(limits, attempt));
  }
}

/** Passwords that a network may have checked in five minutes before it shares one key with all others that did. */
const CALM: RateLimit = { name: 'password-checks', points: 5, duration: 5 * MINUTE };

/**
 * Returns the priority with which the caller's password is hashed. A known browser is urgent, and so is a network that the
 * account was signed in to from; networks that seldom ask have a key each, and all others one together, so that a flood from
 * many networks waits for itself.
 */
export async function hashingPriority(
  limits: RateLimits,
  {
    clientIp,
    device,
    isKnownNetwork = false,
  }: Pick<Attempt, 'clientIp' | 'device'> & { isKnownNetwork?: boolean },
): Promise<HashingPriority> {
  const network = wideIpKey(clientIp);
  const isCalm = (await limits.count(CALM, network)) <= CALM.points;
  return { key: isCalm ? network : 'busy networks', urgent: device !== undefined || isKnownNetwork };
}

/** Forgets guesses after the right one: they were the owner's own. */
export function forgiveGuesses(limits: RateLimits, attempt: Attempt): void {
  const { call: name, device } = attempt;
  const scope = scopeOf(attempt);
  if (device) limits.forgive({ name, ...GUESSES }, `${scope}:device:${device}`);
  else limits.forgiveByIp({ name, ...GUESSES }, attempt.clientIp, scope);
}

/** Returns how many digits the next code for an e-mail has. */
export async function codeDigits(limits: RateLimits, attempt: Pick<Attempt, 'projectId' | 'account'>) {
  const tried = await limits.counted(CODES, scopeOf(attempt));
  return tried < MANY_CODES ? DIGITS.usual : DIGITS.underAttack;
}

function delayGuess(limits: RateLimits, attempt: Attempt, guesses: Omit<GrowingDelay, 'name'>): void {
  const { call: name, device, clientIp } = attempt;
  const scope = scopeOf(attempt);
  if (device) limits.delay({ name, ...GUESSES }, `${scope}:device:${device}`);
  else limits.delayByIp({ name, ...guesses }, clientIp, scope);
}

async function guessesAllowed(limits: RateLimits, attempt: Attempt): Promise<Omit<GrowingDelay, 'name'>> {
  if (attempt.device) return GUESSES;
  const all = { name: `${attempt.call}-account`, points: UNDER_ATTACK, duration: 15 * MINUTE };
  return (await limits.count(all, scopeOf(attempt))) > UNDER_ATTACK ? GUESSES_UNDER_ATTACK : GUESSES;
}

async function limitMails(limits: RateLimits, attempt: Attempt): Promise<void> {
  const { device, clientIp, kind = '' } = attempt;
  const scope = `${scopeOf(attempt)}:${kind}`;
  if (device) return limits.consume(MAILS, `${scope}:device:${device}`);
  await limits.consumeByIp(MAILS, clientIp, { scope: `${scope}:` });
  const byNetwork = { ...MAILS, name: 'mail-network' };
  const isFirst = (await limits.count(byNetwork, `${scope}:${wideIpKey(clientIp)}`)) <= 1;
  limits.delay(isFirst ? MAILS_FIRST : MAILS_FURTHER, scope);
}

function scopeOf({ projectId, account }: Pick<Attempt, 'projectId' | 'account'>): string {
  return `${projectId}:${account}`;
}
