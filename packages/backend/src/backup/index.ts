export { checkBackup } from './check-backup.ts';
export { isDiskFull } from './collect-files.ts';
export { folderGuard, guardOf, restoreGuardOf } from './guard.ts';
export type { DataGuard, DataLock } from './lock.ts';
export { makeBackup } from './make-backup.ts';
export type { Manifest, ProjectBackup } from './manifest.ts';
export { postgresGuard } from './postgres-guard.ts';
export { compactTime, type Restored, restoreBackup } from './restore-backup.ts';
