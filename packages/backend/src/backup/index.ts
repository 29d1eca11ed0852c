export { checkBackup } from './check-backup.ts';
export { isDiskFull } from './disk-full.ts';
export { folderGuard, guardOf, restoreGuardOf } from './guard.ts';
export type { Guard, Hold } from './lock.ts';
export { makeBackup } from './make-backup.ts';
export type { Manifest, ProjectBackup } from './manifest.ts';
export { postgresGuard } from './postgres-guard.ts';
export { compactTime, type Restored, restoreBackup } from './restore-backup.ts';
