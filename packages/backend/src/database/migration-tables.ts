/** Kysely's tables of the migrations that have run. */
export const MIGRATION_TABLE = 'kysely_migration';
export const MIGRATION_LOCK_TABLE = 'kysely_migration_lock';

/** The table of the migrations that older programs go on with. */
export const COMPATIBILITY_TABLE = 'compatible_migrations';

/** The tables of the migrations themselves, which no project may define or open. */
export const migrationTables: readonly string[] = [
  MIGRATION_TABLE,
  MIGRATION_LOCK_TABLE,
  COMPATIBILITY_TABLE,
];

/** The tables that a copy of a database makes anew. */
export const uncopiedTables: readonly string[] = [MIGRATION_LOCK_TABLE, COMPATIBILITY_TABLE];
