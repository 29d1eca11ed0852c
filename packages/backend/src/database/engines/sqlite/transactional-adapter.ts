import { SqliteAdapter } from 'kysely';

/** DDL is transactional in SQLite, whatever Kysely assumes of it: a migration that fails leaves nothing behind. */
export class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
