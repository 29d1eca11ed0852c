import { can, type RoleMap } from '@fabrica/contract';
import type { Migration } from 'kysely/migration';
import type { Filter, Scalar } from './filter.ts';
import { shapeFault } from './project-shape.ts';

export interface TextColumn {
  type: 'text';
  /** Characters, counted after trimming where `trim` is set. */
  min?: number;
  max: number;
  /** Leading and trailing white space is cut before it is checked and stored. */
  trim?: boolean;
  nullable?: boolean;
  /** The whole value must match. */
  pattern?: RegExp;
  default?: string;
}

export interface IntegerColumn {
  type: 'integer';
  min?: number;
  max?: number;
  nullable?: boolean;
  default?: number;
  /** Set to the server's clock (epoch ms) on that operation, whatever the caller sent; the service role may set it. */
  stamp?: 'create' | 'write';
}

export type Column = TextColumn | IntegerColumn;

/** What one role may do; an operation that is left out is closed to it. */
export interface RowPolicy {
  /** Rows that may be read. */
  read?: Filter;
  /** What a new row must satisfy. */
  create?: Filter;
  /** Rows that may be changed, the columns that may change; the changed row must still satisfy `where`. */
  update?: { where: Filter; columns: readonly string[] };
  /** Rows that may be deleted. */
  delete?: Filter;
}

export interface Table {
  columns: Record<string, Column>;
  /** Views are read only. */
  view?: boolean;
  /** A view of accounts, under their ids: what changes an account changes it. */
  ofUsers?: boolean;
  /** Generated ids start with this: `post_`. */
  idPrefix?: string;
  /** By role; `signedIn` stands for every role that is not `anonymous` and not named. None: closed to all but the service. */
  policies: Record<string, RowPolicy>;
  /** A second row with the same values here is answered with the first one instead (a like is given once). */
  onePer?: readonly string[];
  /** Columns that hold the public address of a file: it is removed with the row, if the row's `user_id` uploaded it. */
  files?: readonly string[];
}

/**
 * What becomes of an account's rows when it is deleted. They are changed where others would miss them; nothing in
 * what is `set` may lead back to whose they were, so that `user_id` is among it.
 */
export type AccountRule = 'delete' | { set: Readonly<Record<string, Scalar>> };

export interface ProjectDefinition {
  id: string;
  tables: Record<string, Table>;
  /** Besides `anonymous` and `service`, which every project has. */
  roles: RoleMap;
  /** Languages that mails are written in, the first one being for everybody else; `en` by default. */
  languages?: readonly string[];
  /** The role of a new account when `SIGNUP_ROLE` does not say otherwise. */
  signUpRole: string;
  /** Other origins whose pages may call this project; our own always may. */
  origins: readonly string[];
  /** By name, in the order of the names. */
  migrations: Record<string, Migration>;
  /** By table, of those that have a `user_id`; rows of tables that are not named here are deleted. */
  whenAccountIsDeleted?: Readonly<Record<string, AccountRule>>;
}

/** What callers are called who have no role of a project's own, and those who have any. */
const RESERVED_ROLES: readonly string[] = ['anonymous', 'service', 'signedIn'];

/** Tables of the services themselves, in every project's database: no policy opens them. */
export const SERVICE_TABLES: readonly string[] = [
  'ai_usage',
  'audit_log',
  'files',
  'identities',
  'kysely_migration',
  'kysely_migration_lock',
  'one_time_tokens',
  'refresh_tokens',
  'secrets',
  'sessions',
  'users',
  'variants',
];

/** Checks a definition once and hands it on; throws an Error that names the fault. */
export function defineProject(definition: ProjectDefinition): ProjectDefinition {
  const fault = shapeFault(definition);
  if (fault) throw new Error(`Project "${definition?.id}": ${fault}.`);
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(definition.id)) {
    throw new Error(`Project id "${definition.id}" must be lower-case letters, digits, "-" or "_".`);
  }
  if (!Object.hasOwn(definition.roles, definition.signUpRole)) {
    throw new Error(
      `Project "${definition.id}": sign-up role "${definition.signUpRole}" is none of its roles (${Object.keys(definition.roles).join(', ')}).`,
    );
  }
  for (const [name, table] of Object.entries(definition.tables)) {
    if (!table.columns.id) throw new Error(`Project "${definition.id}": table "${name}" has no id column.`);
    if (SERVICE_TABLES.includes(name)) {
      throw new Error(`Project "${definition.id}": "${name}" is a table of Fabrica itself.`);
    }
    requireGranted(definition, name, table);
  }
  for (const [name, { inherits = [] }] of Object.entries(definition.roles)) {
    if (RESERVED_ROLES.includes(name)) {
      throw new Error(`Project "${definition.id}": no role of its own may be called "${name}".`);
    }
    const unknown = inherits.find((role) => !Object.hasOwn(definition.roles, role));
    if (unknown === undefined) continue;
    throw new Error(
      `Project "${definition.id}": role "${name}" inherits "${unknown}", which is none of its roles.`,
    );
  }
  return definition;
}

/** Tables that no policy opens to anybody. */
export function closedTables({ tables }: ProjectDefinition): string[] {
  const isClosed = ({ policies }: Table) =>
    Object.values(policies).every((policy) => Object.values(policy).every((filter) => filter === undefined));
  return Object.keys(tables).filter((name) => tables[name] && isClosed(tables[name]));
}

/** A permission that no role names is one that was mistyped; `*` names none. */
function requireGranted({ id, roles }: ProjectDefinition, tableName: string, { policies }: Table): void {
  const named: RoleMap = Object.fromEntries(
    Object.entries(roles).map(([role, { permissions }]) => [
      role,
      { permissions: permissions.filter((permission) => permission !== '*') },
    ]),
  );
  for (const { read, create, update, delete: remove } of Object.values(policies)) {
    for (const permission of [read, create, update?.where, remove].flatMap(permissionsIn)) {
      if (Object.keys(named).some((role) => can(named, role, permission))) continue;
      throw new Error(
        `Project "${id}": a policy of table "${tableName}" asks for "${permission}", which no role grants by name.`,
      );
    }
  }
}

function permissionsIn(filter: Filter | undefined): string[] {
  switch (filter?.kind) {
    case 'permitted':
      return [filter.permission];
    case 'and':
    case 'or':
      return filter.of.flatMap(permissionsIn);
    case 'not':
      return permissionsIn(filter.of);
    case 'through':
      return permissionsIn(filter.where);
    default:
      return [];
  }
}
