import type { ProofKind } from '@fabrica/contract';
import type { FreshProof as GivenProof } from '@fabrica/contract/schemas';
import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { checkFactor } from '../factors/check-factor.ts';
import { listFactors } from '../factors/factor-queries.ts';
import { spendCode } from '../mail-links/one-time-token.ts';
import type { HashingPriority } from '../passwords/password-hasher.ts';
import { authReader, authWriter, findSession } from '../queries.ts';
import { forgiveGuesses, hashingPriority, limitByAccount } from '../routes/limits.ts';
import { sourceOf } from '../routes/request-info.ts';
import type { UserSession } from '../sessions/authenticate.ts';

/** Milliseconds for which a sign-in is itself a proof, for calls that accept one. */
const RECENT_MS = 10 * 60_000;

type ProofContext = Pick<
  AuthContext,
  'devices' | 'keys' | 'limits' | 'passwords' | 'publicUrl' | 'settings' | 'notifyOwner'
>;

interface ProofOptions {
  /** The proof that the request gave; `undefined` for nothing. */
  proof: GivenProof | undefined;
  /** Accepts a session of the last ten minutes in place of a proof, for an account without a second factor. */
  acceptRecentSignIn?: boolean;
  /** Accepts the password of an account with a second factor too, as the contract of a call has it. */
  acceptPassword?: boolean;
}

/**
 * Requires that the owner of the account makes a call, and not somebody who has found or stolen its access token: the
 * request has to carry the current password, or the code of a mail from `POST /proof/send`. An account with a second factor
 * shows that one: a password and a mailbox are what its factor is there to outlast. Throws `INVALID_CREDENTIALS` with
 * `details.proofs`, the kinds of proof that the account can give, and `RATE_LIMITED`.
 */
export async function requireFreshProof(
  context: ProofContext,
  c: Context<AppEnvironment>,
  session: UserSession,
  { proof, acceptRecentSignIn = false, acceptPassword = false }: ProofOptions,
): Promise<void> {
  const { project, user } = session;
  const kinds = await listProofKinds(session, acceptPassword);
  if (!proof) {
    const isFactor = kinds.includes('factor');
    if (acceptRecentSignIn && !isFactor && (await isRecentSignIn(session))) return;
    throw proofRequired(kinds, 'Please confirm that it is you.');
  }
  const projectId = project.definition.id;
  const device = context.devices.read(c, { projectId, email: user.email });
  const { clientIp } = c.var;
  const attempt = { call: 'password', clientIp, projectId, account: user.id, device } as const;
  await limitByAccount(context.limits, attempt);
  const asked = { source: sourceOf(c), priority: await hashingPriority(context.limits, attempt) };
  const isAccepted = kinds.some((kind) => proof[kind] !== undefined);
  if (isAccepted && (await isValid(context, session, proof, asked)))
    return forgiveGuesses(context.limits, attempt);
  const entry = { event: 'proof-failed', userId: user.id, ...asked.source } as const;
  await recordEvent(authWriter(project.database), entry);
  throw proofRequired(
    kinds,
    proof.password === undefined
      ? 'This code or passkey is wrong or no longer valid.'
      : 'This is not your current password.',
  );
}

async function isValid(
  context: ProofContext,
  { project, user }: UserSession,
  { password, code, factor, passkey }: GivenProof,
  { source, priority }: { source: RequestSource; priority: HashingPriority },
): Promise<boolean> {
  const { keys, passwords } = context;
  const shown = passkey ? { credential: passkey } : factor !== undefined && { code: factor };
  if (shown) {
    return checkFactor(context, project, { user, proof: shown, purpose: 'proof', source }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'SECOND_FACTOR_FAILED') return false;
        throw error;
      },
    );
  }
  if (password !== undefined) return passwords.verify(password, user.password_hash, priority);
  if (code === undefined) return false;
  const given = { kind: 'fresh-proof', email: user.email, code } as const;
  const spent = await spendCode(keys, authWriter(project.database), given);
  return spent?.userId === user.id;
}

/** Returns the kinds of proof that the account can give, the most convenient one first. */
export async function listProofKinds(
  { project, user }: UserSession,
  acceptPassword = false,
): Promise<ProofKind[]> {
  const kinds = (await listFactors(authReader(project.database), user.id)).map(({ kind }) => kind);
  const own: ProofKind[] = user.password_hash === null ? ['code'] : ['password', 'code'];
  if (kinds.length === 0) return own;
  const shown: ProofKind[] = kinds.includes('passkey') ? ['passkey', 'factor'] : ['factor'];
  return acceptPassword && user.password_hash !== null ? [...shown, 'password'] : shown;
}

/** Throws `INVALID_CREDENTIALS` unless somebody signed in to this session just now, with a second factor where there is one. */
export async function requireRecentSignIn(session: UserSession): Promise<void> {
  if (await isRecentSignIn(session)) return;
  throw new AppError('INVALID_CREDENTIALS', 'Please sign in again.');
}

/** Returns whether somebody signed in to this session just now. A session that was handed over proves nobody. */
async function isRecentSignIn({ project, sessionId }: UserSession): Promise<boolean> {
  const found = await findSession(authReader(project.database), sessionId);
  return found !== undefined && found.method !== 'hand-over' && Date.now() - found.created_at <= RECENT_MS;
}

function proofRequired(proofs: readonly ProofKind[], message: string): AppError {
  return new AppError('INVALID_CREDENTIALS', message, { details: { proofs } });
}
