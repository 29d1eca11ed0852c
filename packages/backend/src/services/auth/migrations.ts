import { looksLikeEmail } from '@fabrica/contract';
import { type Kysely, sql } from 'kysely';
import { fillInBatches } from '../../core/fill-in-batches.ts';
import type { Migration } from '../../core/project.ts';
import { factorMigration } from './factors/migration.ts';

/** Accounts and their sessions live in the project's own database. */
const users: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('display_name', 'text')
      .addColumn('photo_url', 'text')
      .addColumn('email_verified', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text')
      // bigint: epoch milliseconds are too large for the integer of other engines.
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_sign_in_at', 'bigint')
      .addCheckConstraint('users_email_verified_is_flag', sql`email_verified in (0, 1)`)
      .execute();
    await database.schema
      .createTable('refresh_tokens')
      .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('family_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('spent_at', 'bigint')
      .execute();
    await database.schema.createIndex('refresh_tokens_user').on('refresh_tokens').column('user_id').execute();
    await database.schema
      .createIndex('refresh_tokens_family')
      .on('refresh_tokens')
      .column('family_id')
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    for (const table of ['refresh_tokens', 'users']) await schema.dropTable(table).execute();
  },
};

/** Sessions by id, one-time tokens, identities and the audit log. */
const sessions: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database;
    await schema.alterTable('users').addColumn('language', 'text').execute();
    await schema.alterTable('users').addColumn('disabled_at', 'bigint').execute();
    await schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('device', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
    // Existing sign-ins stay valid.
    await sql`
      insert into sessions (id, user_id, method, created_at, last_used_at, expires_at)
      select family_id, user_id, 'password', min(created_at), max(created_at), max(expires_at)
      from refresh_tokens group by family_id, user_id`.execute(database);
    await schema
      .createTable('one_time_tokens')
      .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('email', 'text')
      .addColumn('code_hash', 'text')
      .addColumn('code_expires_at', 'bigint')
      .addColumn('tries_left', 'integer', (column) => column.notNull())
      .addColumn('data', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('one_time_tokens_email')
      .on('one_time_tokens')
      .columns(['email', 'kind'])
      .execute();
    await schema.createIndex('one_time_tokens_user').on('one_time_tokens').column('user_id').execute();
    await schema.createIndex('one_time_tokens_end').on('one_time_tokens').column('expires_at').execute();
    await schema
      .createTable('identities')
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('email', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('identities_key', ['provider', 'subject'])
      .execute();
    await schema.createIndex('identities_user').on('identities').column('user_id').execute();
    await schema
      .createTable('audit_log')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('address', 'text')
      .addColumn('device', 'text')
      .addColumn('details', 'text')
      .execute();
    await schema.createIndex('audit_log_at').on('audit_log').columns(['at', 'id']).execute();
    await schema.createIndex('audit_log_user').on('audit_log').columns(['user_id', 'at']).execute();
  },
  async down({ schema }: Kysely<unknown>) {
    for (const table of ['audit_log', 'identities', 'one_time_tokens', 'sessions'])
      await schema.dropTable(table).execute();
    for (const column of ['disabled_at', 'language'])
      await schema.alterTable('users').dropColumn(column).execute();
  },
};

/** Clears names that are e-mail addresses, because the name of an account is public. */
const publicNames: Migration = {
  async up(database: Kysely<{ users: { id: string; display_name: string | null } }>) {
    const rows = await database
      .selectFrom('users')
      .select(['id', 'display_name'])
      .where('display_name', 'like', '%_@_%._%')
      .execute();
    for (const { id, display_name } of rows) {
      if (!looksLikeEmail(display_name ?? '')) continue;
      await database.updateTable('users').set({ display_name: null }).where('id', '=', id).execute();
    }
  },
  /** Leaves the names empty. */
  async down() {},
};

/** Gives sessions an end that use does not move. */
const sessionEnds: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('sessions').addColumn('ends_at', 'bigint').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.alterTable('sessions').dropColumn('ends_at').execute();
  },
};

const FILLED_SESSIONS = 1_000;
const DAYS_90_MS = 90 * 24 * 3_600_000;

/** Gives sessions of before an end in 90 days, so that an upgrade ends none. Those that an older node opens meanwhile have none. */
const filledSessionEnds = fillInBatches(async (database, after = '') => {
  const sessions = (database as Kysely<{ sessions: { id: string; ends_at: number | null } }>)
    .selectFrom('sessions')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(FILLED_SESSIONS);
  const ids = (await sessions.execute()).map(({ id }) => id);
  if (ids.length > 0) {
    await database
      .updateTable('sessions')
      .set({ ends_at: Date.now() + DAYS_90_MS })
      .where('id', 'in', ids)
      .where('ends_at', 'is', null)
      .execute();
  }
  return ids.length < FILLED_SESSIONS ? undefined : ids.at(-1);
});

/** Says of an account whether its comments are hidden. Older nodes go on without it, and show them. */
const hiddenAccounts: Migration = {
  compatibleWith: 'any',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('users').addColumn('hidden_at', 'bigint').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.alterTable('users').dropColumn('hidden_at').execute();
  },
};

/** Finds the sign-ins of an account by their network, however many have guessed at its password. */
const signInNetworks: Migration = {
  compatibleWith: 'any',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createIndex('audit_log_sign_ins')
      // An operator may have built it before, without a lock (docs/migrations.md).
      .ifNotExists()
      .on('audit_log')
      .columns(['user_id', 'event', 'address'])
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropIndex('audit_log_sign_ins').execute();
  },
};

/** Their names sort before those of a project, whose views may read `users`. */
export const authMigrations: Record<string, Migration> = {
  '0001-users': users,
  '0003-sessions': sessions,
  '0010-public-names': publicNames,
  '0013-second-factors': factorMigration,
  '0014-session-ends': sessionEnds,
  '0018-filled-session-ends': filledSessionEnds,
  '0019-hidden-accounts': hiddenAccounts,
  '0023-sign-in-networks': signInNetworks,
};

/** The tables of this service, which no project may define or open. */
export const authTables: readonly string[] = [
  'audit_log',
  'factor_tries',
  'identities',
  'one_time_tokens',
  'recovery_codes',
  'refresh_tokens',
  'second_factors',
  'sessions',
  'users',
];
