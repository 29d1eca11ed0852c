import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { AppError } from '../../../core/errors.ts';
import type { Meter } from '../../../runtime/meter.ts';
import { Semaphore } from '../../../runtime/semaphore.ts';

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane (Password Storage Cheat Sheet). */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{22,172})$/;

/** Says in which order passwords are hashed: each key has the same share of the machine, however many passwords it sends. */
export interface HashingPriority {
  /** The network of the caller, or several networks together. */
  key: string;
  /** Whether the caller goes first. */
  urgent: boolean;
}

/** Calls that may wait: all that are urgent, all others, and those of one key. */
const MAX_WAITING = 512;
const MAX_WAITING_PER_KEY = 100;
/** Networks whose calls may wait: one call of each takes less than two seconds together, on one core. */
const MAX_WAITING_NETWORKS = 32;
const RETRY_SECONDS = 5;

/**
 * Hashes and checks passwords off the event loop. Callers without a priority wait with those that are not urgent. Throws `RATE_LIMITED` when
 * too many wait.
 */
export interface PasswordHasher {
  /** Returns a PHC string (`$argon2id$v=19$m=…,t=…,p=…$salt$tag`). */
  hash(password: string, priority?: HashingPriority): Promise<string>;
  /**
   * Returns whether the password is right. It does the same work when there is no hash, so that timing does
   * not tell which accounts exist.
   */
  verify(password: string, phc: string | null | undefined, priority?: HashingPriority): Promise<boolean>;
}

interface PasswordHasherOptions {
  /** Memory in KiB. */
  cost?: { memory: number; passes: number; parallelism: number };
  /** Tells how many passwords are hashed at once. */
  atOnce?: number;
  meter?: Meter | undefined;
}

/**
 * Creates a hasher. Each password takes the memory of its cost, one of the four threads that also read files
 * and compress responses, and a whole core. By default two are hashed at once, and one core is left for
 * everything else.
 */
export function createPasswordHasher({
  cost = COST,
  atOnce = Math.max(1, Math.min(2, availableParallelism() - 1)),
  meter,
}: PasswordHasherOptions = {}): PasswordHasher {
  const limit = new Semaphore({
    concurrency: atOnce,
    maxWaiting: MAX_WAITING,
    perKey: { concurrency: atOnce, maxWaiting: MAX_WAITING_PER_KEY },
    fair: true,
    maxKeys: MAX_WAITING_NETWORKS,
    fullError: tooManyPasswords,
  });
  meter?.addQueue('passwords', limit);
  const run = (password: string, derivation: Derivation, { key, urgent }: HashingPriority = NO_PRIORITY) =>
    limit.run(() => derive(password, derivation), { key, priority: { urgent } });
  return {
    async hash(password, priority) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await run(password, { ...cost, salt, tagBytes: TAG_BYTES }, priority);
      const { memory, passes, parallelism } = cost;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
    },
    async verify(password, phc, priority) {
      const stored = phc ? parsePhc(phc) : undefined;
      if (!stored) {
        await run(password, { ...cost, salt: Buffer.alloc(SALT_BYTES), tagBytes: TAG_BYTES }, priority);
        return false;
      }
      const tag = await run(password, { ...stored, tagBytes: stored.tag.byteLength }, priority);
      return timingSafeEqual(tag, stored.tag);
    },
  };
}

const NO_PRIORITY: HashingPriority = { key: '', urgent: false };

function tooManyPasswords(): AppError {
  return new AppError(
    'RATE_LIMITED',
    'Too many people are signing in at this moment. Please try again in a few seconds.',
    { retryAfter: RETRY_SECONDS },
  );
}

interface Derivation {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tagBytes: number;
}

function derive(
  password: string,
  { memory, passes, parallelism, salt, tagBytes }: Derivation,
): Promise<Buffer> {
  // One character can have several spellings in Unicode, and keyboards differ (NIST SP 800-63B, 3.1.1.2).
  const parameters = { message: password.normalize('NFKC'), nonce: salt, memory, passes, parallelism };
  return new Promise((resolve, reject) => {
    argon2('argon2id', { ...parameters, tagLength: tagBytes }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    );
  });
}

function parsePhc(phc: string): (Omit<Derivation, 'tagBytes'> & { tag: Buffer }) | undefined {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? [];
  if (!salt || !tag) return undefined;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
