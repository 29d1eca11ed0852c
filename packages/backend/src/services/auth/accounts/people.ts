import { can, type Person, type RoleMap } from '@fabrica/contract';
import { AppError, forbidden } from '../../../core/errors.ts';
import type { Scalar } from '../../../core/filter.ts';
import type { Project } from '../../../database/project.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import { type AuthConnection, authWriter, findUser, type UserRow, updateUser } from '../queries.ts';

/** The permission to see all accounts and to give them roles. */
const EDIT_PEOPLE = 'people.edit';

interface PeopleQuery {
  /** Part of the e-mail, the name or the id, in any case. */
  search?: string | undefined;
  /** The `cursor` of the page before. */
  cursor?: string | undefined;
  limit: number;
}

/** Throws `FORBIDDEN` unless the user's role grants `people.edit`. */
export function requireEditPeople({ definition }: Project, user: UserRow): void {
  if (!can(definition.roles, user.role, EDIT_PEOPLE)) throw forbidden();
}

/** Returns a page of accounts, the newest first, and the cursor of the next page. */
export async function listPeople(
  { database }: Project,
  { search, cursor, limit }: PeopleQuery,
): Promise<{ people: Person[]; cursor: string | null }> {
  const values: Scalar[] = [];
  const bind = (value: Scalar): string => {
    values.push(value);
    return database.syntax.placeholder(values.length);
  };
  const conditions: string[] = [];
  if (search) {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    const columns = ['email', 'display_name', 'id'];
    conditions.push(`(${columns.map((name) => database.syntax.ilike(name, pattern, bind)).join(' or ')})`);
  }
  if (cursor) {
    const { time, id } = parseCursor(cursor);
    conditions.push(`(created_at < ${bind(time)} or (created_at = ${bind(time)} and id > ${bind(id)}))`);
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const rows = (await database.query(
    `select * from users ${where} order by created_at desc, id limit ${bind(limit + 1)}`,
    values,
  )) as unknown as UserRow[];
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    people: page.map(presentPerson),
    cursor: last && rows.length > limit ? `${Number(last.created_at)}.${last.id}` : null,
  };
}

interface RoleChange {
  personId: string;
  role: string;
  /** The account that changes it; `undefined` for an operator. */
  by?: UserRow;
  source: RequestSource;
}

export interface ChangedRole {
  person: UserRow;
  /** The accounts that could give roles before or can now: each gets the notice. Empty when nothing has changed. */
  admins: readonly UserRow[];
  notice: { kind: 'role-changed'; subject: string };
}

/**
 * Gives an account another role and records who did it. Throws `USER_NOT_FOUND`, `VALIDATION_FAILED` for a role that the
 * project does not have, and `CONFLICT` where an account would leave nobody who may give roles: an operator always may.
 */
export function changeRole(project: Project, change: RoleChange): Promise<ChangedRole> {
  requireRole(project, change.role);
  return authWriter(project.database)
    .transaction()
    .execute((transaction) => changeRoleWithin(transaction, project, change));
}

/** Gives an account a role that the project has, as `changeRole` does, as part of a transaction. */
export async function changeRoleWithin(
  transaction: AuthConnection,
  { definition: { roles } }: Project,
  { personId, role, by, source }: RoleChange,
): Promise<ChangedRole> {
  const editors = await lockEditors(transaction, roles);
  const before = await findUser(transaction, personId);
  const after = before && (await updateUser(transaction, personId, { role }));
  if (!after) throw new AppError('USER_NOT_FOUND', 'There is no such account.');
  const subject = `${after.email}: ${before.role} → ${role}`;
  const changed = { person: after, notice: { kind: 'role-changed', subject } } as const;
  if (before.role === role) return { ...changed, admins: [] };
  const isEditor = can(roles, role, EDIT_PEOPLE);
  const others = editors.filter(({ id, disabled_at }) => id !== personId && disabled_at === null);
  if (by && others.length === 0 && !(isEditor && after.disabled_at === null)) {
    throw new AppError('CONFLICT', 'Somebody must be left who may give roles.');
  }
  await recordEvent(transaction, {
    event: 'role-changed',
    userId: personId,
    ...source,
    details: { from: before.role, to: role, by: by?.id ?? 'operator' },
  });
  const wasEditor = editors.some(({ id }) => id === personId);
  return { ...changed, admins: isEditor || wasEditor ? [...others, after] : others };
}

/** Throws `VALIDATION_FAILED` for a role that the project does not have. */
export function requireRole({ definition }: Project, role: string): void {
  if (Object.hasOwn(definition.roles, role)) return;
  const known = Object.keys(definition.roles).join(', ');
  throw new AppError('VALIDATION_FAILED', `There is no role "${role}"; the roles are: ${known}.`);
}

/** Returns an account as those who give roles see it. */
export function presentPerson(row: UserRow): Person {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    photoURL: row.photo_url,
    role: row.role,
    createdAt: new Date(Number(row.created_at)).toISOString(),
    lastSignInAt: row.last_sign_in_at === null ? null : new Date(Number(row.last_sign_in_at)).toISOString(),
    disabled: row.disabled_at !== null,
  };
}

/** Locks and returns the accounts that may give roles, so that two of them cannot take the role from each other at once. */
function lockEditors(connection: AuthConnection, roles: RoleMap): Promise<UserRow[]> {
  const rolesOfEditors = Object.keys(roles).filter((role) => can(roles, role, EDIT_PEOPLE));
  return connection
    .updateTable('users')
    .set(({ ref }) => ({ role: ref('role') }))
    .where('role', 'in', rolesOfEditors)
    .returningAll()
    .execute();
}

function parseCursor(cursor: string): { time: number; id: string } {
  const [, time, id] = /^(\d{1,16})\.([\w-]{1,100})$/.exec(cursor) ?? [];
  if (!time || !id) throw new AppError('INVALID_CURSOR', 'This cursor is not one of this list.');
  return { time: Number(time), id };
}
