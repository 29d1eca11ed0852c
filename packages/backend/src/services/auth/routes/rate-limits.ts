import { ipKey, type RateLimit, type RateLimits } from '../../../http/rate-limit.ts';

const MINUTE = 60;

/** By the caller's address, which a classroom or an mailQueue shares. */
const ofAddress = {
  signUp: { name: 'sign-up-address', points: 30, duration: 60 * MINUTE },
  signIn: { name: 'sign-in-address', points: 60, duration: 5 * MINUTE },
  refresh: { name: 'refresh-address', points: 600, duration: 5 * MINUTE },
  /** Mails that somebody has sent to whatever address. */
  mail: { name: 'mail-address', points: 30, duration: 60 * MINUTE },
  /** Tokens and codes out of mails. */
  proof: { name: 'proof-address', points: 60, duration: 15 * MINUTE },
  password: { name: 'password-address', points: 60, duration: 15 * MINUTE },
  introspect: { name: 'introspect-address', points: 3_000, duration: 5 * MINUTE },
  provider: { name: 'provider-address', points: 90, duration: 5 * MINUTE },
  /** An app asks twice a second whether its user has signed in. */
  poll: { name: 'poll-address', points: 1_500, duration: 5 * MINUTE },
} satisfies Record<string, RateLimit>;

/** By account and address together: tighter than the next, so that one stranger cannot lock an account for its owner. */
const signInsOfPair: RateLimit = { name: 'sign-in-pair', points: 10, duration: 5 * MINUTE };
const ofPair: Partial<Record<Attempt['call'], RateLimit>> = {
  signIn: signInsOfPair,
  mail: { name: 'mail-pair', points: 6, duration: 60 * MINUTE },
};

/** By account, wherever the calls come from. */
const ofAccount = {
  signUp: { name: 'sign-up-account', points: 10, duration: 60 * MINUTE },
  signIn: { name: 'sign-in-account', points: 100, duration: 15 * MINUTE },
  refresh: { name: 'refresh-account', points: 300, duration: 5 * MINUTE },
  /** With five tries at each mail's code, a hundred in a million an hour. */
  mail: { name: 'mail-account', points: 20, duration: 60 * MINUTE },
  proof: { name: 'proof-account', points: 30, duration: 15 * MINUTE },
  password: { name: 'password-account', points: 10, duration: 15 * MINUTE },
} satisfies Record<string, RateLimit>;

export type LimitedCall = keyof typeof ofAddress;

export interface Attempt {
  call: keyof typeof ofAccount;
  clientIp: string;
  projectId: string;
  /** The e-mail address or the user's id. */
  account: string;
}

/** Throws RATE_LIMITED. To be asked before the body is read. */
export function limitAddress(limits: RateLimits, call: LimitedCall, clientIp: string): Promise<void> {
  return limits.consume(ofAddress[call], ipKey(clientIp));
}

/** Throws RATE_LIMITED. */
export async function limitAccount(limits: RateLimits, attempt: Attempt): Promise<void> {
  const account = `${attempt.projectId}:${attempt.account}`;
  const pair = ofPair[attempt.call];
  if (pair) await limits.consume(pair, pairKey(attempt));
  await limits.consume(ofAccount[attempt.call], account);
}

/** After the right password: earlier wrong ones were the owner's own. */
export async function forgiveSignIns(limits: RateLimits, attempt: Attempt): Promise<void> {
  await limits.reset(signInsOfPair, pairKey(attempt));
}

function pairKey({ projectId, account, clientIp }: Attempt): string {
  return `${projectId}:${account}:${ipKey(clientIp)}`;
}
