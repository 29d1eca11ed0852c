import { signUpRequest } from '@fabrica/contract/schemas';
import { AppError } from '../../../core/errors.ts';
import type { Scalar } from '../../../core/filter.ts';
import type { Project } from '../../../database/project.ts';
import { parseWith } from '../../../http/body.ts';
import { type AuditEvent, recordEvent } from '../audit.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import {
  authReader,
  authWriter,
  type Connection,
  deleteSessions,
  findUser,
  findUserByEmail,
  insertUser,
  type UserRow,
  updateUser,
} from '../queries.ts';
import { parseEmail, refusal, requireGoodPassword } from '../routes/auth-errors.ts';
import { newUser } from './new-user.ts';

/** What an operator does with the accounts of others. Every change is written into the audit log. */

export interface UserSearch {
  /** Part of the address, the name or the id, in whatever case; all accounts without one. */
  search?: string | undefined;
  limit: number;
}

/** The newest first, and how many there are in all. */
export async function listUsers(
  { database }: Project,
  { search, limit }: UserSearch,
): Promise<{ users: UserRow[]; total: number }> {
  const values: Scalar[] = [];
  const bind = (value: Scalar): string => {
    values.push(value);
    return database.syntax.placeholder(values.length);
  };
  const pattern = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const fits = search
    ? ['email', 'display_name', 'id']
        .map((column) => database.syntax.ilike(column, pattern, bind))
        .join(' or ')
    : '1 = 1';
  const [counted] = await database.query(`select count(*) as total from users where ${fits}`, values);
  const rows = await database.query(
    `select * from users where ${fits} order by created_at desc, id limit ${bind(limit)}`,
    values,
  );
  return { users: rows as unknown as UserRow[], total: Number(counted?.total) };
}

/** Throws USER_NOT_FOUND. */
export async function requireAccount({ database }: Project, emailOrId: string): Promise<UserRow> {
  const asked = emailOrId.trim();
  const user = asked.includes('@')
    ? await findUserByEmail(authReader(database), asked.toLowerCase())
    : await findUser(authReader(database), asked);
  if (!user) throw notFound(asked);
  return user;
}

export interface NewAccount {
  email: string;
  displayName?: string | undefined;
  /** Default: the role that everybody gets who signs up. */
  role?: string | undefined;
  /** Without one, the account is for a reset link to give it its first. */
  password?: string | undefined;
  emailVerified: boolean;
}

/** Throws INVALID_EMAIL, EMAIL_ALREADY_EXISTS, WEAK_PASSWORD, VALIDATION_FAILED. */
export async function createUser(
  project: Project,
  passwords: PasswordHasher,
  account: NewAccount,
): Promise<UserRow> {
  const email = parseEmail(account.email);
  const { password, emailVerified, role = project.definition.signUpRole } = account;
  const { displayName } = parseWith(signUpRequest.pick({ displayName: true }), account);
  requireRole(project, role);
  if (password !== undefined) requireGoodPassword(password, email);
  const user = newUser(project, {
    email,
    display_name: displayName ?? null,
    email_verified: emailVerified ? 1 : 0,
    role,
    password_hash: password === undefined ? null : await passwords.hash(password),
  });
  return inTransaction(project, async (transaction) => {
    if (!(await insertUser(transaction, user))) throw refusal('EMAIL_ALREADY_EXISTS');
    await record(transaction, 'user-created', user, { role });
    return user;
  });
}

/** Counts in the user's next request. Throws VALIDATION_FAILED for a role that the project does not have. */
export async function setRole(project: Project, user: UserRow, role: string): Promise<UserRow> {
  requireRole(project, role);
  return inTransaction(project, async (transaction) => {
    await record(transaction, 'role-changed', user, { from: user.role, to: role });
    return changed(user, await updateUser(transaction, user.id, { role }));
  });
}

/** Closes an account to its user and ends all of its sessions; links that were mailed to it are worth nothing then. */
export function disableUser(project: Project, user: UserRow): Promise<UserRow> {
  return inTransaction(project, async (transaction) => {
    const row = changed(user, await updateUser(transaction, user.id, { disabled_at: Date.now() }));
    await deleteSessions(transaction, user.id);
    await transaction.deleteFrom('one_time_tokens').where('user_id', '=', user.id).execute();
    await record(transaction, 'user-disabled', user);
    return row;
  });
}

/** The user may sign in again. */
export function enableUser(project: Project, user: UserRow): Promise<UserRow> {
  return inTransaction(project, async (transaction) => {
    await record(transaction, 'user-enabled', user);
    return changed(user, await updateUser(transaction, user.id, { disabled_at: null }));
  });
}

function inTransaction<T>(project: Project, act: (transaction: Connection) => Promise<T>): Promise<T> {
  return authWriter(project.database).transaction().execute(act);
}

function record(
  connection: Connection,
  event: AuditEvent,
  user: UserRow,
  details: Record<string, string> = {},
): Promise<void> {
  return recordEvent(connection, {
    event,
    userId: user.id,
    address: null,
    device: null,
    details: { ...details, by: 'operator' },
  });
}

/** The row as it is now; throws USER_NOT_FOUND when the account was deleted meanwhile. */
function changed(user: UserRow, row: UserRow | undefined): UserRow {
  if (!row) throw notFound(user.email);
  return row;
}

function requireRole({ definition }: Project, role: string): void {
  if (Object.hasOwn(definition.roles, role)) return;
  const known = Object.keys(definition.roles).join(', ');
  throw new AppError('VALIDATION_FAILED', `There is no role "${role}"; the roles are: ${known}.`);
}

function notFound(asked: string): AppError {
  return new AppError('USER_NOT_FOUND', `There is no account with the address or id "${asked}".`);
}
