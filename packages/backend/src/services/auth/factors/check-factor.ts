import type { SecondStep } from '@fabrica/contract';
import type { FactorProof } from '@fabrica/contract/schemas';
import { AppError } from '../../../core/errors.ts';
import { unsealWith } from '../../../core/key-ring.ts';
import type { Project } from '../../../database/project.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { type AuthConnection, authReader, authWriter, type UserRow } from '../queries.ts';
import {
  countRecoveryCodes,
  countTry,
  type FactorRow,
  forgetTries,
  listFactors,
  useRecoveryCode,
  useStep,
} from './factor-queries.ts';
import { verifyPasskey } from './passkeys.ts';
import { hashRecoveryCode, parseRecoveryCode } from './recovery-codes.ts';
import { findStep } from './totp.ts';

const DAY_MS = 24 * 3_600_000;
/** Codes of authenticator apps that may be typed for an account in a day, from wherever, until one is right. */
const MAX_TRIES = 30;

interface FactorCheck {
  user: UserRow;
  proof: FactorProof;
  purpose: 'second-step' | 'proof';
  source: RequestSource;
}

type CheckContext = Pick<AuthContext, 'keys' | 'limits' | 'publicUrl' | 'settings' | 'notifyOwner'>;

/**
 * Checks a code of the authenticator app, a recovery code or a passkey of the account, uses it up and returns which it was.
 * Throws `SECOND_FACTOR_FAILED`, and `RATE_LIMITED` after too many codes in a day.
 */
export async function checkFactor(
  context: CheckContext,
  project: Project,
  { user, proof, purpose, source }: FactorCheck,
): Promise<SecondStep> {
  if ('credential' in proof) {
    return recordFailure(project, { user, source, step: 'passkey' }, async () => {
      await verifyPasskey(context, project, { purpose, userId: user.id, credential: proof.credential });
    });
  }
  const letters = parseRecoveryCode(proof.code);
  if (letters) {
    await recordFailure(project, { user, source, step: 'recovery-code' }, () =>
      spendRecoveryCode(context, project, { user, letters, source }),
    );
    return 'recovery-code';
  }
  return recordFailure(project, { user, source, step: 'totp' }, () =>
    checkCode(context, project, { user, typed: proof.code, source }),
  );
}

/** Runs a check and returns its step. A failure is noted in the log of security events. */
async function recordFailure<Step extends SecondStep>(
  { database }: Project,
  { user, source, step }: { user: UserRow; source: RequestSource; step: Step },
  check: () => Promise<void>,
): Promise<Step> {
  try {
    await check();
    return step;
  } catch (error) {
    if (error instanceof AppError && error.code === 'SECOND_FACTOR_FAILED') {
      const entry = { event: 'second-step-failed', userId: user.id, ...source, details: { step } } as const;
      await recordEvent(authWriter(database), entry);
    }
    throw error;
  }
}

async function checkCode(
  context: CheckContext,
  project: Project,
  { user, typed, source }: { user: UserRow; typed: string; source: RequestSource },
): Promise<void> {
  const connection = authWriter(project.database);
  await limitTries(context, project, user, source);
  const code = typed.normalize('NFKC').replace(/[\s\p{Pd}\p{Cf}]/gu, '');
  if (!/^\d{6}$/.test(code)) throw authError('SECOND_FACTOR_FAILED');
  const app = (await listFactors(authReader(project.database), user.id)).find(({ kind }) => kind === 'totp');
  if (!app || !(await spendCode(context, connection, app, code))) throw authError('SECOND_FACTOR_FAILED');
  await forgetTries(connection, user.id);
}

/** Counts before anything is compared, so that guesses at the same moment count too. Tells the owner of the last one. */
async function limitTries(
  { limits, settings, notifyOwner }: CheckContext,
  project: Project,
  user: UserRow,
  { device }: RequestSource,
): Promise<void> {
  if (!limits.enabled) return;
  const { tries, since } = await countTry(authWriter(project.database), user.id, DAY_MS);
  const { secondFactorTries = MAX_TRIES } = settings;
  if (tries === secondFactorTries) notifyOwner(project, user, { kind: 'codes-guessed', device });
  if (tries <= secondFactorTries) return;
  throw new AppError(
    'RATE_LIMITED',
    'Too many codes were typed for this account today. Please use a passkey or a recovery code, or come back tomorrow.',
    { retryAfter: Math.max(1, (Number(since) + DAY_MS - Date.now()) / 1_000) },
  );
}

/** Returns whether this is a code of the app that was not used before. */
async function spendCode(
  { keys }: Pick<AuthContext, 'keys'>,
  connection: AuthConnection,
  { id, user_id, secret }: FactorRow,
  code: string,
): Promise<boolean> {
  const opened = await unsealWith(keys.secretsKeys, secret ?? '', totpContext(user_id));
  const step = findStep(opened, code, Date.now());
  return step !== undefined && useStep(connection, id, step);
}

async function spendRecoveryCode(
  { keys, notifyOwner }: CheckContext,
  project: Project,
  { user, letters, source }: { user: UserRow; letters: string; source: RequestSource },
): Promise<void> {
  const left = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const hashes = keys.refreshKeys.all.map((key) => hashRecoveryCode(key, user.id, letters));
      if (!(await useRecoveryCode(transaction, user.id, hashes))) {
        throw authError('SECOND_FACTOR_FAILED');
      }
      await recordEvent(transaction, { event: 'recovery-code-used', userId: user.id, ...source });
      return countRecoveryCodes(transaction, user.id);
    });
  notifyOwner(project, user, { kind: 'recovery-code-used', device: source.device, subject: String(left) });
}

/** The context that the secret of an account's app is sealed with: it opens nowhere else. */
export function totpContext(userId: string): string {
  return `totp:${userId}`;
}
