import type { Kysely, Transaction } from 'kysely';
import type { Migration } from '../core/project.ts';
import type { Database } from './port.ts';

const TABLE = 'proved_backups';
/** The one row: the newest backup, whoever made it. */
const ID = 'newest';

interface BackupTables {
  [TABLE]: {
    id: string;
    /** Epoch ms: the moment of its data. */
    made_at: number;
  };
}

/** The table of proved backups, in the main project's database, which no project may define or open. */
export const backupTables: readonly string[] = [TABLE];

/** The migration that makes the table. */
export const PROVED_BACKUPS = '0022-proved-backups';

export const backupMigrations: Record<string, Migration> = {
  [PROVED_BACKUPS]: {
    compatibleWith: 'any',
    async up({ schema }) {
      await schema
        .createTable(TABLE)
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('made_at', 'bigint', (column) => column.notNull())
        .execute();
    },
    async down({ schema }) {
      await schema.dropTable(TABLE).execute();
    },
  },
};

/** Records that a backup of all projects was proved, for the metrics of every node: cron or another machine may have made it. */
export async function recordProvedBackup(database: Database, madeAt: number): Promise<void> {
  // No cache depends on it.
  await database.quietly((transaction) =>
    (transaction as Transaction<BackupTables>)
      .insertInto(TABLE)
      .values({ id: ID, made_at: madeAt })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ made_at: madeAt }))
      .execute(),
  );
}

/** Returns the moment (epoch ms) of the data of the newest backup that was proved; undefined when there was none. */
export async function readProvedBackup({ reader }: Database): Promise<number | undefined> {
  const row = await (reader as Kysely<BackupTables>).selectFrom(TABLE).select('made_at').executeTakeFirst();
  return row?.made_at;
}
