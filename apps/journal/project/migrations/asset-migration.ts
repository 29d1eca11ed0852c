import type { Migration } from '@fabrica/backend';
import type { Kysely } from 'kysely';

/** The table of the built files that pages of this version and of former ones load. No client reads it. */
export const ASSET_TABLE = 'page_assets';

export interface AssetTables {
  [ASSET_TABLE]: {
    /** The name of the file, which has a hash of its content. */
    name: string;
    /** The content, compressed by gzip, in base64. */
    content: string;
    /** Epoch ms of the last start of a version that has it. */
    kept_at: number;
  };
}

export const assetMigration: Migration = {
  compatibleWith: 'any',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable(ASSET_TABLE)
      .addColumn('name', 'text', (column) => column.notNull().primaryKey())
      .addColumn('kept_at', 'bigint', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropTable(ASSET_TABLE).execute();
  },
};
