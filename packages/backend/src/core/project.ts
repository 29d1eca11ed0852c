import type { RoleMap } from '@fabrica/contract';
import type { Kysely } from 'kysely';
import type { Migration as KyselyMigration } from 'kysely/migration';
import type { ChangeEvent, Row } from './bus.ts';
import type { FieldFault } from './errors.ts';
import type { Filter, Permitted, Scalar } from './filter.ts';

export interface TextColumn {
  type: 'text';
  /** Least number of characters, counted after trimming where `trim` is set. */
  min?: number;
  max: number;
  /** Leading and trailing white space is cut before it is checked and stored. */
  trim?: boolean;
  nullable?: boolean;
  /** The whole value must match. */
  pattern?: RegExp;
  /**
   * Returns what is wrong with a value that has passed the rules above, as in `must be a colour`. `isStored` tells that a service of
   * the project writes it, of what a newer version may have stored, and no request.
   */
  check?(text: string, isStored: boolean): string | undefined;
  default?: string;
  /**
   * Set to the caller's public name in new rows, whatever the caller sent; the service role may set it. When an account with
   * rows of its own (`user_id`) is renamed, its rows get the new name, except for anonymous ones.
   */
  stamp?: 'caller-name';
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

/** The rows that one role may read and write; an operation that is left out is closed to it. */
export interface RowPolicy {
  /** Rows that may be read. */
  read?: Filter;
  /** A filter that a new row must satisfy. */
  create?: Filter;
  /** Rows and columns that may be changed; the changed row must still satisfy `where`. */
  update?: { where: Filter; columns: readonly string[] };
  /** Rows that may be deleted. */
  delete?: Filter;
}

/**
 * Bounds what one account, or one IP address without an account, may write to a table. The secret key has no limits, and
 * `RATE_LIMIT=off` lifts them.
 */
export interface WriteLimits {
  /** Rows that are created and updated in a minute; 1,000 by default. A request counts as one row at least. */
  rowsPerMinute?: number;
  /** Bytes of text that are sent in a minute; 10,000,000 by default. */
  bytesPerMinute?: number;
  /** New rows in an hour that hold the same value in a column, such as the comments on one post: `{ post_id: 60 }`. */
  rowsPerHour?: Readonly<Record<string, number>>;
}

export interface Table {
  columns: Record<string, Column>;
  /**
   * Returns what is wrong with a row that a request is about to write, where its columns cannot say it by themselves. A change
   * names some columns only: `stored` returns the rows that it is about, as they are.
   */
  check?(row: Row, stored: () => Promise<readonly Row[]>): Promise<readonly FieldFault[]>;
  /** Views are read only. */
  view?: boolean;
  /** The view shows accounts under their ids, so that a change of an account changes the view. */
  ofUsers?: boolean;
  /** Generated ids start with this: `post_`. */
  idPrefix?: string;
  /**
   * Policies by role; `signedIn` stands for every role that is not `anonymous` and not named. Without one, the table is closed
   * to all but the service role.
   */
  policies: Record<string, RowPolicy>;
  /** Columns of which no two rows hold the same values; creating a second one returns the first (a like is given once). */
  onePer?: readonly string[];
  limits?: WriteLimits;
  /**
   * The texts that triggers of the project store once more for searches, each as `foldText` makes it of the first of these
   * columns that has one. They count towards the bytes that an account may write in a day.
   */
  searchedTexts?: readonly (readonly string[])[];
  /**
   * Nobody sees whose the rows are, but for their own: `user_id` of others is null, and conditions on it hold for no row of
   * theirs. Rows can still be counted: how many like something is public, and who does is not. The service role sees all.
   */
  hidesOwner?: boolean;
  /** Nobody lists the whole table: reads must name ids (`id=eq.…`, `id=in.(…)`). The service role need not. */
  byIdOnly?: boolean;
  /**
   * People write these rows below what others publish, such as comments. The audit log records who else than their owner removes
   * one, and an operator can have them deleted together with an account.
   */
  moderated?: boolean;
  /** Columns that hold the public URL of a file, which is removed with the row if the row's `user_id` uploaded it. */
  files?: readonly string[];
}

/**
 * Says what becomes of an account's rows when it is deleted. They are changed where others would miss them; the values that
 * are `set` must include `user_id`, so that nothing leads back to the account. It gets a random ending, the same for all rows of one
 * account: rows of one deleted account can be told from another's.
 */
export type AccountRule = 'delete' | { set: Readonly<Record<string, Scalar>> };

/** Everybody, every signed-in user, the project's own servers (its secret key and its announcements), or some roles. */
export type ChannelAccess = 'anyone' | 'signedIn' | 'server' | Permitted;

/** Says who may do what in a realtime channel. */
export interface ChannelRule {
  /** Receives messages, and reads those of the channel's history. */
  join: ChannelAccess;
  publish: ChannelAccess;
  /** Is shown among the members who are present; by default, everybody who may publish. */
  presence?: ChannelAccess;
}

/** A message to the members of a channel about a changed row. */
export interface Announcement {
  channel: string;
  type: string;
  /** Everybody who may join the channel can read all of it, also after the row is deleted. */
  data: Readonly<Record<string, Scalar>>;
}

/** Returns the row of this id, whatever policies say; undefined when there is none. */
export type FindRow = (table: string, id: string) => Promise<Row | undefined>;

/** Counts rows by day for the owner (`user_id`) of the row that they refer to. */
export interface CountRule {
  /** The table whose rows are counted; it has a `created_at`, on which there should be an index. */
  table: string;
  /** The column with the id of the row that they refer to … */
  column: string;
  /** … which is a row of this table. */
  about: string;
}

/** Says who sees which figures about readers. */
export interface InsightRules {
  /** The permission to see the figures of all pages; everybody else sees those of their own. */
  all?: Permitted;
  /** The tables whose rows pages show, by the page's path with `{id}` for the row's id; a page belongs to the row's owner (`user_id`). */
  pages?: Readonly<Record<string, string>>;
  /** Further figures, by their names. */
  counts?: Readonly<Record<string, CountRule>>;
}

/** Sends mails to the owner (`user_id`) of a row about new rows of others that refer to it. */
export interface NoticeRule {
  /** The table with the new rows; it has a `user_id` and a `created_at`, on which there should be an index. */
  table: string;
  /** The column with the id of the row that they refer to … */
  column: string;
  /** … which is a row of this table. */
  about: string;
}

/** A change of the tables, or of the rows in them. */
export interface Migration extends KyselyMigration {
  /**
   * Changes some rows within a transaction, as `fillInBatches` makes it: those after a position that an earlier call has
   * returned. Returns `undefined` when none are left. It may run again, from the beginning, after a crash.
   */
  // biome-ignore lint/suspicious/noExplicitAny: Kysely's own migrations take any tables
  fill?(database: Kysely<any>, after: string | undefined): Promise<string | undefined>;
  /**
   * Which programs that do not know this migration go on with the tables as it leaves them: `any`, or those that know the migration
   * of this name. Without it, none of them starts. An object says so for the engines that it names, where they differ.
   */
  compatibleWith?: string | Readonly<Partial<Record<'sqlite' | 'postgres', string>>>;
}

export interface ProjectDefinition {
  id: string;
  tables: Record<string, Table>;
  /** Roles besides `anonymous` and `service`, which every project has. */
  roles: RoleMap;
  /** Languages of mails; the first one is for readers of any other. `en` by default. */
  languages?: readonly string[];
  /** The role of a new account when `SIGNUP_ROLE` does not say otherwise. */
  signUpRole: string;
  /** Other origins whose pages may call this project; the product's own always may. */
  origins: readonly string[];
  /** Migrations by name, which run in the order of their names. */
  migrations: Record<string, Migration>;
  /** Rules for tables that have a `user_id`; rows of tables that are not named here are deleted. */
  whenAccountIsDeleted?: Readonly<Record<string, AccountRule>>;
  /**
   * Takes an account out of rows that others own, within the transaction that deletes it. Returns the names of the tables that it
   * has written.
   */
  // biome-ignore lint/suspicious/noExplicitAny: Kysely's own transactions take any tables
  forgetAccount?(transaction: Kysely<any>, accountId: string): Promise<readonly string[]>;
  /** Rules by the kind of the mail, which accounts can switch off. */
  notices?: Readonly<Record<string, NoticeRule>>;
  insights?: InsightRules;
  /**
   * Rules of realtime channels by the pattern of their names; the first that matches counts. `{id}` stands for anything without
   * a colon, `*` for anything. Channels that no pattern matches are for signed-in users.
   */
  channels?: Readonly<Record<string, ChannelRule>>;
  /** Returns the messages about a committed change; `find` reads the database after the write was committed. */
  announce?(event: ChangeEvent, find: FindRow): readonly Announcement[] | Promise<readonly Announcement[]>;
}
