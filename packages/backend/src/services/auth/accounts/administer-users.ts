import { asciiEmail } from '@fabrica/contract';
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
  type AuthConnection,
  authReader,
  authWriter,
  deleteSessions,
  deleteUserTokens,
  findUser,
  findUserByEmail,
  insertUser,
  type UserRow,
  updateUser,
} from '../queries.ts';
import { type ChangedRole, changeRoleWithin, requireRole } from './people.ts';
import { newUser } from './user.ts';

/** An operator's search for accounts. */

interface UserSearch {
  /** Part of the e-mail, the name or the id, in any case. Without it, all accounts are listed. */
  search?: string | undefined;
  limit: number;
}

/** Returns the newest accounts that match, and how many match in all. */
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

/** Returns the account with this e-mail or id. Throws `USER_NOT_FOUND`. */
export async function requireAccount(project: Project, emailOrId: string): Promise<UserRow> {
  const user = await findAccount(project, emailOrId);
  if (!user) throw notFound(emailOrId.trim());
  return user;
}

/** Returns the account with an e-mail address or an id, if there is one. */
export function findAccount({ database }: Project, emailOrId: string): Promise<UserRow | undefined> {
  const key = emailOrId.trim();
  const reader = authReader(database);
  return key.includes('@') ? findUserByEmail(reader, asciiEmail(key.toLowerCase())) : findUser(reader, key);
}

interface CreateUserOptions {
  email: string;
  displayName?: string | undefined;
  /** Default: the project's sign-up role. */
  role?: string | undefined;
  /** Without a password, the account gets its first one through a reset link. */
  password?: string | undefined;
  emailVerified: boolean;
  ownWords: readonly string[];
}

/**
 * Creates an account for an operator, and gives it a role as `changeRole` does. Throws `INVALID_EMAIL`, `EMAIL_ALREADY_EXISTS`, `WEAK_PASSWORD`,
 * `VALIDATION_FAILED`.
 */
export async function createUser(
  project: Project,
  passwords: PasswordHasher,
  account: CreateUserOptions,
): Promise<ChangedRole> {
  const email = parseEmail(account.email);
  const { password, emailVerified, ownWords, role = project.definition.signUpRole } = account;
  const { displayName } = parseWith(signUpRequest.pick({ displayName: true }), account);
  requireRole(project, role);
  if (password !== undefined) requireGoodPassword(password, email, ownWords);
  const user = newUser(project, {
    email,
    display_name: displayName ?? null,
    email_verified: emailVerified ? 1 : 0,
    password_hash: password === undefined ? null : await passwords.hash(password),
  });
  return inTransaction(project, async (transaction) => {
    if (!(await insertUser(transaction, user))) throw authError('EMAIL_ALREADY_EXISTS');
    await record(transaction, 'user-created', user, { role });
    const source = { ip: null, device: null };
    return changeRoleWithin(transaction, project, { personId: user.id, role, source });
  });
}

/** Marks the e-mail as verified on the operator's word. Everything else of the account stays. */
export function verifyUser(project: Project, user: UserRow): Promise<UserRow> {
  return inTransaction(project, async (transaction) => {
    await record(transaction, 'email-verified', user);
    return requireRow(user, await updateUser(transaction, user.id, { email_verified: 1 }));
  });
}

/**
 * Disables an account, ends all of its sessions and deletes the tokens that were mailed to it. With `hides`, what it wrote below
 * the texts of others is hidden until the account is enabled.
 */
export function disableUser(project: Project, user: UserRow, { hides = false } = {}): Promise<UserRow> {
  return inTransaction(project, async (transaction) => {
    const now = Date.now();
    const row = requireRow(
      user,
      await updateUser(transaction, user.id, { disabled_at: now, ...(hides && { hidden_at: now }) }),
    );
    await deleteSessions(transaction, user.id);
    await deleteUserTokens(transaction, user.id);
    await record(transaction, 'user-disabled', user, hides ? { comments: 'hidden' } : {});
    return row;
  });
}

/** Enables a disabled account, so that its user may sign in again. */
export function enableUser(project: Project, user: UserRow): Promise<UserRow> {
  return inTransaction(project, async (transaction) => {
    await record(transaction, 'user-enabled', user);
    return requireRow(user, await updateUser(transaction, user.id, { disabled_at: null, hidden_at: null }));
  });
}

function inTransaction<T>(project: Project, act: (transaction: AuthConnection) => Promise<T>): Promise<T> {
  return authWriter(project.database).transaction().execute(act);
}

function record(
  connection: AuthConnection,
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

/** Returns the updated row. Throws `USER_NOT_FOUND` when the account was deleted in the meantime. */
function requireRow(user: UserRow, row: UserRow | undefined): UserRow {
  if (!row) throw notFound(user.email);
  return row;
}

function notFound(key: string): AppError {
  return new AppError('USER_NOT_FOUND', `There is no account with the address or id "${key}".`);
}
