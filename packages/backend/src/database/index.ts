export type { Change } from '../core/bus.ts';
export { readAccountRows, releaseAccountRows, renameAccountRows } from './account-rows.ts';
export { changesOfUserViews } from './changes.ts';
export { compactOldFiles, hasRoom } from './compact.ts';
export { createEngine } from './create-engine.ts';
export {
  type HostState,
  inspectHosts,
  inspectServer,
  type ServerState,
} from './engines/postgres/inspect-server.ts';
export { keyMigrations, keyTables, type OpenKeyStore, openKeyStore, removeKeys } from './key-store.ts';
export { migrateToLatest } from './migrate.ts';
export { migrationTables } from './migration-tables.ts';
export type { Database, Engine } from './port.ts';
export {
  migrateProject,
  type OpenedProject,
  type OpenProjectOptions,
  openProject,
  openProjects,
  type Project,
  ProjectError,
} from './project.ts';
export {
  backupMigrations,
  backupTables,
  PROVED_BACKUPS,
  readProvedBackup,
  recordProvedBackup,
} from './proved-backups.ts';
export { schemaOf } from './schema.ts';
export { databaseSettings, readDatabaseSettings } from './settings.ts';
export { forgetWrittenBytes, writeMigrations, writeTables } from './write/written-bytes.ts';
