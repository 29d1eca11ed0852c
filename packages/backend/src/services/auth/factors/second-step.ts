import {
  type AskedStep,
  SECOND_STEP_MINUTES,
  type SecondStepDetails,
  type SignInMethod,
} from '@fabrica/contract';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { AuthContext } from '../context.ts';
import { hashToken, issueToken, spendToken } from '../mail-links/one-time-token.ts';
import { type ProviderLink, providerLink } from '../providers/linking/link-proof.ts';
import { type AuthConnection, type AuthTables, authWriter, findUser, type UserRow } from '../queries.ts';
import { expiredToken } from '../sessions/access-token.ts';
import { projectOfToken } from '../sessions/refresh-token.ts';
import type { AuthSettings } from '../settings.ts';
import { listFactors } from './factor-queries.ts';

/** The second step that a sign-in has to take before there is a session. */
export interface PendingStep {
  user: UserRow;
  details: SecondStepDetails;
}

/** Holds what opening a session needs. */
export interface SignInContext {
  keys: Pick<AuthContext['keys'], 'refreshKeys'>;
  settings: Pick<AuthContext['settings'], 'secondFactorRoles'>;
}

/** Holds what a ticket keeps of the first step. */
const ticketData = z.object({
  method: z.string().transform((method) => method as SignInMethod),
  language: z.string().nullable(),
  /** Whether the account had no factor, so that the ticket lets its owner set one up. */
  setUp: z.boolean(),
  link: providerLink.optional(),
  /** Whether the link is confirmed by a mailed code, for want of a factor. */
  mailCode: z.boolean().default(false),
});

/** The first step of a sign-in, as its ticket names it. */
export interface FirstStep extends z.infer<typeof ticketData> {
  project: Project;
  user: UserRow;
}

/** Returns whether accounts of this role have to have a second factor. */
export function isFactorRequired(
  { secondFactorRoles }: Pick<AuthContext['settings'], 'secondFactorRoles'>,
  { role }: Pick<UserRow, 'role'>,
): boolean {
  return secondFactorRoles.includes(role);
}

/**
 * Returns whether nobody signs in to the account before its e-mail is verified: by the operator's setting, or because its role
 * has to have a second factor, which an account has only from then on.
 */
export function mustVerifyFirst(
  settings: Pick<AuthSettings, 'requireVerifiedEmail' | 'sendsMail' | 'secondFactorRoles'>,
  user: Pick<UserRow, 'role' | 'email_verified'>,
): boolean {
  if (user.email_verified === 1) return false;
  return settings.requireVerifiedEmail || (settings.sendsMail && isFactorRequired(settings, user));
}

/**
 * Returns the second step that the account asks for, with a ticket to take it, or `undefined` when it asks for none. Every
 * account with a factor asks for it, every account whose role has to have one, and every sign-in that links a provider: it
 * shows a factor, or the code of a mail.
 */
export async function findPendingStep(
  { keys, settings }: SignInContext,
  transaction: Transaction<AuthTables>,
  project: Project,
  {
    user,
    method,
    language = null,
    link,
  }: {
    user: UserRow;
    method: SignInMethod;
    language?: string | null;
    link?: ProviderLink | undefined;
  },
): Promise<PendingStep | undefined> {
  const kinds = (await listFactors(transaction, user.id)).map(({ kind }) => kind);
  const hasNone = kinds.length === 0;
  const mailCode = hasNone && link !== undefined;
  const setUp = hasNone && !mailCode;
  if (setUp && !isFactorRequired(settings, user)) return undefined;
  const { token } = await issueToken(keys, transaction, {
    kind: 'second-step',
    projectId: project.definition.id,
    userId: user.id,
    data: { method, language, setUp, link, mailCode } satisfies z.input<typeof ticketData>,
    lifetimeMs: SECOND_STEP_MINUTES * 60_000,
  });
  const methods: AskedStep[] = mailCode ? ['mail-code'] : setUp ? [] : [...new Set(kinds), 'recovery-code'];
  return { user, details: { ticket: token, expiresIn: SECOND_STEP_MINUTES * 60, methods, setUp } };
}

/** Returns the error that tells a client of the second step. Clients that know nothing of it show its sentence. */
export function secondStepRequired(
  { publicUrl, pages }: Pick<AuthContext, 'publicUrl' | 'pages'>,
  { details }: PendingStep,
): AppError {
  const page = new URL(pages.signIn, publicUrl).href;
  const what = details.setUp
    ? 'has to set up a second factor'
    : details.methods.includes('mail-code')
      ? 'asks for the code of an email'
      : 'asks for a second factor';
  return new AppError('SECOND_FACTOR_REQUIRED', `This account ${what}. Please sign in at ${page}.`, {
    details,
  });
}

/** Returns the first step that a ticket stands for. Throws `TOKEN_EXPIRED` for one that is not valid. */
export async function readTicket(
  { projects }: Pick<AuthContext, 'projects'>,
  ticket: string,
): Promise<FirstStep> {
  const project = projectOfToken(projects, ticket);
  if (!project) throw expiredToken();
  const connection = authWriter(project.database);
  const row = await connection
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('token_hash', '=', hashToken(ticket))
    .where('kind', '=', 'second-step')
    .where('tries_left', '>', 0)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst();
  const user = row?.user_id ? await findUser(connection, row.user_id) : undefined;
  if (!row?.data || !user || user.disabled_at !== null) throw expiredToken();
  return { project, user, ...ticketData.parse(JSON.parse(row.data)) };
}

/** Uses up one of a ticket's tries, before anything is compared. Throws `TOKEN_EXPIRED` when none is left. */
export async function takeTry({ database }: Project, ticket: string): Promise<void> {
  const taken = await authWriter(database)
    .updateTable('one_time_tokens')
    .set((row) => ({ tries_left: row('tries_left', '-', 1) }))
    .where('token_hash', '=', hashToken(ticket))
    .where('kind', '=', 'second-step')
    .where('tries_left', '>', 0)
    .returning('token_hash')
    .executeTakeFirst();
  if (!taken) throw expiredToken();
}

/** Spends a ticket, so that one sign-in alone comes of it. Throws `TOKEN_EXPIRED`. */
export async function spendTicket(connection: AuthConnection, ticket: string): Promise<void> {
  if (!(await spendToken(connection, 'second-step', ticket))) throw expiredToken();
}
