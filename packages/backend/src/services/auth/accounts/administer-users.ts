import { signUpRequest } from '@fabrica/contract/schemas';
import { AppError } from '../../../core/errors.ts';
import type { Scalar } from '../../../core/filter.ts';
import type { Project } from '../../../database/project.ts';
import { parseWith } from '../../../http/body.ts';
import { type AuditEvent, recordEvent } from '../audit.ts';
import { authError, parseEmail } from '../auth-errors.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import {
  authReader,
  authWriter,
  type Connection,
  deleteSessions,
  deleteUserTokens,
  findUser,
  findUserByEmail,
  insertUser,
  type UserRow,
  updateUser,
} from '../queries.ts';
import { newUser } from './user.ts';

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
  const condition = search
    ? ['email', 'display_name', 'id']
        .map((column) => database.syntax.ilike(column, pattern, bind))
        .join(' or ')
    : '1 = 1';
  const [count] = await database.query(`select count(*) as total from users where ${condition}`, values);
  const rows = await database.query(
    `select * from users where ${condition} order by created_at desc, id limit ${bind(limit)}`,
    values,
  );
  return { users: rows as unknown as UserRow[], total: Number(count?.total) };
}

/** Throws USER_NOT_FOUND. */
export async function requireAccount({ database }: Project, emailOrId: string): Promise<UserRow> {
  const key = emailOrId.trim();
  const user = key.includes('@')
    ? await findUserByEmail(authReader(database), key.toLowerCase())
    : await findUser(authReader(database), key);
  if (!user) throw notFound(key);
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
    if (!(await insertUser(transaction, user))) throw authError('EMAIL_ALREADY_EXISTS');
    await record(transaction, 'user-created', user, { role });
    return user;
  });
}

/** Counts in the user's next request. Throws VALIDATION_FAILED for a role that the project does not have. */
export async function setRole(project: Project, user: UserRow, role: string): Promise<UserRow> {
  requireRole(project, role);
  return inTransaction(project, async (transaction) => {
    await record(transaction, 'role-changed', user, { from: user.role, to: role });
    return requireRow(user, await updateUser(transaction, user.id, { role }));
  });
}

/** Closes an account to its user and ends all of its sessions; links that were mailed to it are worth nothing then. */
export function disableUser(project: Project, user: UserRow): Promise<UserRow> {
  return inTransaction(project, async (transaction) => {
    const row = requireRow(user, await updateUser(transaction, user.id, { disabled_at: Date.now() }));
    await deleteSessions(transaction, user.id);
    await deleteUserTokens(transaction, user.id);
    await record(transaction, 'user-disabled', user);
    return row;
  });
}

/** The user may sign in again. */
export function enableUser(project: Project, user: UserRow): Promise<UserRow> {
  return inTransaction(project, async (transaction) => {
    await record(transaction, 'user-enabled', user);
    return requireRow(user, await updateUser(transaction, user.id, { disabled_at: null }));
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
    ip: null,
    device: null,
    details: { ...details, by: 'operator' },
  });
}

/** The row as it is now; throws USER_NOT_FOUND when the account was deleted meanwhile. */
function requireRow(user: UserRow, row: UserRow | undefined): UserRow {
  if (!row) throw notFound(user.email);
  return row;
}

function requireRole({ definition }: Project, role: string): void {
  if (Object.hasOwn(definition.roles, role)) return;
  const known = Object.keys(definition.roles).join(', ');
  throw new AppError('VALIDATION_FAILED', `There is no role "${role}"; the roles are: ${known}.`);
}

function notFound(key: string): AppError {
  return new AppError('USER_NOT_FOUND', `There is no account with the address or id "${key}".`);
}
