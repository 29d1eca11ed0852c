import { can, type RoleMap } from '@fabrica/contract';
import type { Migration } from 'kysely/migration';
import type { ChangeEvent, Row } from './bus.ts';
import type { Filter, Permitted, Scalar } from './filter.ts';
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

/** Everybody, whoever is signed in, the project's own servers (its secret key and its announcements), or some roles. */
export type ChannelAccess = 'anyone' | 'signedIn' | 'server' | Permitted;

/** Who may do what in a channel of realtime. */
export interface ChannelRule {
  /** Hear what is said, and read what was. */
  join: ChannelAccess;
  publish: ChannelAccess;
  /** Be shown among those who are here; whoever may publish, if left out. */
  presence?: ChannelAccess;
}

/** What a change of a row lets those know who listen to a channel. */
export interface Announcement {
  channel: string;
  type: string;
  /** All of it can be read by everybody who may join the channel, also after the row is gone. */
  data: Readonly<Record<string, Scalar>>;
}

/** The row of this id, whatever policies say; undefined when there is none. */
export type FindRow = (table: string, id: string) => Promise<Row | undefined>;

/** Rows that are counted by day for whoever owns (`user_id`) what they refer to. */
export interface CountRule {
  /** What is counted; its rows have a `created_at`, by which there should be an index. */
  table: string;
  /** Of those rows, the id of what they are about … */
  column: string;
  /** … which is a row of this table. */
  about: string;
}

/** Who sees what of the figures about readers. */
export interface InsightRules {
  /** Whose role grants it sees those of all pages; everybody else those of their own. */
  all?: Permitted;
  /** Pages that show a row, and are its owner's (`user_id`): by path, `{id}` being the row's id, the name of its table. */
  pages?: Readonly<Record<string, string>>;
  /** What is counted besides what readers do, by the name that the figures have. */
  counts?: Readonly<Record<string, CountRule>>;
}

/** Mails to the owner (`user_id`) of a row about new rows of others that refer to it. */
export interface NoticeRule {
  /** What is told of; its rows have a `user_id` and a `created_at`, by which there should be an index. */
  table: string;
  /** Of those rows, the id of what they are about … */
  column: string;
  /** … which is a row of this table. */
  about: string;
}

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
  /** By the kind of the mail, which accounts can switch off. */
  notices?: Readonly<Record<string, NoticeRule>>;
  insights?: InsightRules;
  /**
   * Rules of realtime channels by the pattern of their names, the first that fits: `{id}` in it is anything without a
   * colon, `*` anything. Channels that no pattern names are for whoever is signed in.
   */
  channels?: Readonly<Record<string, ChannelRule>>;
  /** What is said in channels about a committed change; what it asks of the database comes after the answer to the write. */
  announce?(event: ChangeEvent, find: FindRow): readonly Announcement[] | Promise<readonly Announcement[]>;
}

/** What callers are called who have no role of a project's own, and those who have any. */
const RESERVED_ROLES: readonly string[] = ['anonymous', 'service', 'signedIn'];

/** Tables of the services themselves, in every project's database: no policy opens them. */
export const SERVICE_TABLES: readonly string[] = [
  'ai_usage',
  'analytics_days',
  'analytics_events',
  'analytics_readers',
  'analytics_salts',
  'audit_log',
  'files',
  'identities',
  'kysely_migration',
  'kysely_migration_lock',
  'notice_batches',
  'notice_items',
  'notice_marks',
  'notice_stops',
  'one_time_tokens',
  'outbox',
  'outbox_attachments',
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
    requireGranted(
      definition,
      `a policy of table "${name}"`,
      Object.values(table.policies).flatMap(filtersOf),
    );
  }
  for (const [pattern, { join, publish, presence }] of Object.entries(definition.channels ?? {})) {
    const asked = [join, publish, presence].filter((access) => typeof access === 'object');
    requireGranted(definition, `channel "${pattern}"`, asked);
  }
  requireNoticeTables(definition);
  requireInsightTables(definition);
  const { all } = definition.insights ?? {};
  requireGranted(definition, 'insights', all ? [all] : []);
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

/** Notices are read by these columns. */
function requireNoticeTables(definition: ProjectDefinition): void {
  for (const [kind, { table, column, about }] of Object.entries(definition.notices ?? {})) {
    requireColumns(definition, `notices "${kind}"`, table, ['user_id', 'created_at', column]);
    requireColumns(definition, `notices "${kind}"`, about, ['user_id']);
  }
}

/** What every day's figures are called by. */
const FIGURES: readonly string[] = ['day', 'views', 'readers', 'completedReads'];

function requireInsightTables(definition: ProjectDefinition): void {
  const { pages = {}, counts = {} } = definition.insights ?? {};
  for (const [path, table] of Object.entries(pages)) {
    requireColumns(definition, `the pages "${path}"`, table, ['user_id']);
  }
  for (const [name, { table, column, about }] of Object.entries(counts)) {
    if (FIGURES.includes(name)) {
      throw new Error(`Project "${definition.id}": "${name}" is counted already.`);
    }
    requireColumns(definition, `counts "${name}"`, table, ['created_at', column]);
    requireColumns(definition, `counts "${name}"`, about, ['user_id']);
  }
}

function requireColumns(
  { id, tables }: ProjectDefinition,
  asking: string,
  table: string,
  columns: readonly string[],
): void {
  const missing = columns.find((one) => !tables[table]?.columns[one] || tables[table].view);
  if (missing === undefined) return;
  throw new Error(`Project "${id}": ${asking} need a table "${table}" with a column "${missing}".`);
}

/** Tables that no policy opens to anybody. */
export function closedTables({ tables }: ProjectDefinition): string[] {
  const isClosed = ({ policies }: Table) =>
    Object.values(policies).every((policy) => Object.values(policy).every((filter) => filter === undefined));
  return Object.keys(tables).filter((name) => tables[name] && isClosed(tables[name]));
}

function filtersOf({ read, create, update, delete: remove }: RowPolicy): (Filter | undefined)[] {
  return [read, create, update?.where, remove];
}

/** A permission that no role names is one that was mistyped; `*` names none. */
function requireGranted(
  { id, roles }: ProjectDefinition,
  asking: string,
  filters: readonly (Filter | undefined)[],
): void {
  const named: RoleMap = Object.fromEntries(
    Object.entries(roles).map(([role, { permissions }]) => [
      role,
      { permissions: permissions.filter((permission) => permission !== '*') },
    ]),
  );
  for (const permission of filters.flatMap(permissionsIn)) {
    if (Object.keys(named).some((role) => can(named, role, permission))) continue;
    throw new Error(`Project "${id}": ${asking} asks for "${permission}", which no role grants by name.`);
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
