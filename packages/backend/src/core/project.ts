import type { RoleMap } from '@fabrica/contract';
import type { Migration } from 'kysely/migration';
import type { ChangeEvent, Row } from './bus.ts';
import type { Filter, Permitted, Scalar } from './filter.ts';

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
