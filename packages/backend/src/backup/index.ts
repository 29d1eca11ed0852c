export {
  type BackupSchedule,
  newestProvedIn,
  openBackupSchedule,
  scheduledFolder,
} from './backup-schedule.ts';
export { type BackupSettings, backupSettings, readBackupSettings } from './backup-settings.ts';
export { checkBackup, requireIntact } from './check-backup.ts';
export { listBackups, removeOldBackups } from './earlier-backups.ts';
export { guardOf, restoreGuardOf } from './guard.ts';
export type { DataLock } from './lock.ts';
export { makeBackup } from './make-backup.ts';
export type { Manifest, ProjectBackup } from './manifest.ts';
export { makeBackupKeys, readIdentity, requireRecipient } from './offsite/encrypted-blobs.ts';
export {
  isEncryptedBackup,
  locateEncryptedBackup,
  openEncryptedFolder,
  removeEmptyBackups,
} from './offsite/encrypted-folder.ts';
export { fetchBackup } from './offsite/fetch-backup.ts';
export { sendBackup } from './offsite/send-backup.ts';
export { ProofError, type ProvingServer, proveBackup } from './prove-backup.ts';
export { compactTime, type Restored, restoreBackup } from './restore-backup.ts';
export { readUnfinished } from './unfinished-restore.ts';
