import { aiUsage } from './ai-usage.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup/backup.ts';
import { restoreCommand } from './backup/restore.ts';
import { compactCommand } from './compact.ts';
import { completionCommand } from './completion.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { keyBackup, keyReset, keyRotate, keyShow } from './keys.ts';
import { migrateDown } from './migrate/migrate-down.ts';
import { migrateStatus } from './migrate/migrate-status.ts';
import { migrateUp } from './migrate/migrate-up.ts';
import { upgradeCommand } from './migrate/upgrade.ts';
import { outboxDiscard } from './outbox/outbox-discard.ts';
import { outboxList } from './outbox/outbox-list.ts';
import { outboxOpen } from './outbox/outbox-open.ts';
import { outboxRetry } from './outbox/outbox-retry.ts';
import { type AddCommand, type CliSetup, runProgram } from './program/run-program.ts';
import { secretSet } from './secret/secret-set.ts';
import { secretList, secretRemove } from './secret/secrets.ts';
import { storageCopy } from './storage/storage-copy.ts';
import { storageSweep } from './storage/storage-sweep.ts';
import { userDisable, userEnable } from './user/user-access.ts';
import { userCreate } from './user/user-create.ts';
import { deleteAccountWithFiles, userDelete } from './user/user-delete.ts';
import { userFactors, userResetFactors } from './user/user-factors.ts';
import { userList } from './user/user-list.ts';
import { userSetRole } from './user/user-set-role.ts';
import { userVerify } from './user/user-verify.ts';

export { findAccount } from '../services/auth/index.ts';
export { usageError } from './program/command-error.ts';
export { countUpTo } from './program/parse-values.ts';
export { presentTable } from './program/present.ts';
export type { Cli, CliSetup } from './program/run-program.ts';
export { confirm } from './program/terminal.ts';
export { deleteAccountWithFiles };

/** The commands in the order of the help. */
const commands: readonly AddCommand[] = [
  userList,
  userCreate,
  userSetRole,
  userVerify,
  userDisable,
  userEnable,
  userFactors,
  userResetFactors,
  userDelete,
  keyShow,
  keyRotate,
  keyReset,
  keyBackup,
  outboxList,
  outboxOpen,
  outboxRetry,
  outboxDiscard,
  secretSet,
  secretList,
  secretRemove,
  aiUsage,
  storageSweep,
  storageCopy,
  backupCommand,
  restoreCommand,
  compactCommand,
  migrateStatus,
  migrateUp,
  migrateDown,
  upgradeCommand,
  auditCommand,
  doctorCommand,
];

/** Runs one command of the operator, also of the product's own, and returns the exit code. Never throws. */
export function runCli({
  own = [],
  ...setup
}: CliSetup & { own?: readonly AddCommand[] | undefined }): Promise<number> {
  return runProgram([...commands, ...own, completionCommand], setup);
}
