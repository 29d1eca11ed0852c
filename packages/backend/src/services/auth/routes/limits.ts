import { ipKey, type RateLimit, type RateLimits } from '../../../http/rate-limit.ts';

/** The largest body of this service's requests, in bytes. */
export const MAX_AUTH_BYTES = 16 * 1024;

const MINUTE = 60;

/** Limits by the caller's IP address, which a school or an office shares. */
const byIp = {
  signUp: { name: 'sign-up-ip', points: 30, duration: 60 * MINUTE },
  signIn: { name: 'sign-in-ip', points: 60, duration: 5 * MINUTE },
  refresh: { name: 'refresh-ip', points: 600, duration: 5 * MINUTE },
  /** Mails to any e-mail. */
  mail: { name: 'mail-ip', points: 30, duration: 60 * MINUTE },
  /** Mailed tokens and codes. */
  proof: { name: 'proof-ip', points: 60, duration: 15 * MINUTE },
  password: { name: 'password-ip', points: 60, duration: 15 * MINUTE },
  introspect: { name: 'introspect-ip', points: 3_000, duration: 5 * MINUTE },
  provider: { name: 'provider-ip', points: 90, duration: 5 * MINUTE },
  /** An app asks twice a second whether its user has signed in. */
  poll: { name: 'poll-ip', points: 1_500, duration: 5 * MINUTE },
} satisfies Record<string, RateLimit>;

/**
 * Limits by account and IP address together. They are tighter than the limits by account, so that a stranger
 * cannot lock an account for its owner.
 */
const signInsByAccountAndIp: RateLimit = { name: 'sign-in-account-ip', points: 10, duration: 5 * MINUTE };
const byAccountAndIp: Partial<Record<Attempt['call'], RateLimit>> = {
  signIn: signInsByAccountAndIp,
  mail: { name: 'mail-account-ip', points: 6, duration: 60 * MINUTE },
};

/** Limits by account, from any IP address. */
const byAccount = {
  signUp: { name: 'sign-up-account', points: 10, duration: 60 * MINUTE },
  signIn: { name: 'sign-in-account', points: 100, duration: 15 * MINUTE },
  refresh: { name: 'refresh-account', points: 300, duration: 5 * MINUTE },
  /** With five tries at each mail's code, a hundred in a million an hour. */
  mail: { name: 'mail-account', points: 20, duration: 60 * MINUTE },
  proof: { name: 'proof-account', points: 30, duration: 15 * MINUTE },
  password: { name: 'password-account', points: 10, duration: 15 * MINUTE },
} satisfies Record<string, RateLimit>;

export type LimitedCall = keyof typeof byIp;

export interface Attempt {
  call: keyof typeof byAccount;
  clientIp: string;
  projectId: string;
  /** The e-mail or the user's id. */
  account: string;
}

/** Throws `RATE_LIMITED`. Called before the body is read. */
export function limitByIp(limits: RateLimits, call: LimitedCall, clientIp: string): Promise<void> {
  return limits.consume(byIp[call], ipKey(clientIp));
}

/** Throws `RATE_LIMITED`. */
export async function limitByAccount(limits: RateLimits, attempt: Attempt): Promise<void> {
  const account = `${attempt.projectId}:${attempt.account}`;
  const limit = byAccountAndIp[attempt.call];
  if (limit) await limits.consume(limit, accountIpKey(attempt));
  await limits.consume(byAccount[attempt.call], account);
}

/** Forgets failed sign-ins after the right password: they were the owner's own. */
export async function resetSignIns(limits: RateLimits, attempt: Attempt): Promise<void> {
  await limits.reset(signInsByAccountAndIp, accountIpKey(attempt));
}

function accountIpKey({ projectId, account, clientIp }: Attempt): string {
  return `${projectId}:${account}:${ipKey(clientIp)}`;
}
