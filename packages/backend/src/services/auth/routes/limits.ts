import { ipKey, type RateLimit, type RateLimits } from '../../../http/rate-limit.ts';

/** Bytes of a body of this service at most: no call has more to say. */
export const MAX_AUTH_BYTES = 16 * 1024;

const MINUTE = 60;

/** By the caller's address, which a classroom or an mailQueue shares. */
const byIp = {
  signUp: { name: 'sign-up-ip', points: 30, duration: 60 * MINUTE },
  signIn: { name: 'sign-in-ip', points: 60, duration: 5 * MINUTE },
  refresh: { name: 'refresh-ip', points: 600, duration: 5 * MINUTE },
  /** Mails that somebody has sent to whatever address. */
  mail: { name: 'mail-ip', points: 30, duration: 60 * MINUTE },
  /** Tokens and codes out of mails. */
  proof: { name: 'proof-ip', points: 60, duration: 15 * MINUTE },
  password: { name: 'password-ip', points: 60, duration: 15 * MINUTE },
  introspect: { name: 'introspect-ip', points: 3_000, duration: 5 * MINUTE },
  provider: { name: 'provider-ip', points: 90, duration: 5 * MINUTE },
  /** An app asks twice a second whether its user has signed in. */
  poll: { name: 'poll-ip', points: 1_500, duration: 5 * MINUTE },
} satisfies Record<string, RateLimit>;

/** By account and address together: tighter than the next, so that one stranger cannot lock an account for its owner. */
const signInsByAccountAndIp: RateLimit = { name: 'sign-in-account-ip', points: 10, duration: 5 * MINUTE };
const byAccountAndIp: Partial<Record<Attempt['call'], RateLimit>> = {
  signIn: signInsByAccountAndIp,
  mail: { name: 'mail-account-ip', points: 6, duration: 60 * MINUTE },
};

/** By account, wherever the calls come from. */
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
  /** The e-mail address or the user's id. */
  account: string;
}

/** Throws RATE_LIMITED. To be asked before the body is read. */
export function limitByIp(limits: RateLimits, call: LimitedCall, clientIp: string): Promise<void> {
  return limits.consume(byIp[call], ipKey(clientIp));
}

/** Throws RATE_LIMITED. */
export async function limitByAccount(limits: RateLimits, attempt: Attempt): Promise<void> {
  const account = `${attempt.projectId}:${attempt.account}`;
  const limit = byAccountAndIp[attempt.call];
  if (limit) await limits.consume(limit, accountIpKey(attempt));
  await limits.consume(byAccount[attempt.call], account);
}

/** After the right password: earlier wrong ones were the owner's own. */
export async function resetSignIns(limits: RateLimits, attempt: Attempt): Promise<void> {
  await limits.reset(signInsByAccountAndIp, accountIpKey(attempt));
}

function accountIpKey({ projectId, account, clientIp }: Attempt): string {
  return `${projectId}:${account}:${ipKey(clientIp)}`;
}
