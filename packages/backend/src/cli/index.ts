import { aiUsage } from './ai-usage.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import type { Command } from './command.ts';
import { copyCommand } from './copy.ts';
import { keyRotate } from './key-rotate.ts';
import { migrateDown } from './migrate-down.ts';
import { migrateStatus } from './migrate-status.ts';
import { migrateUp } from './migrate-up.ts';
import { outboxDiscard } from './outbox-discard.ts';
import { outboxList } from './outbox-list.ts';
import { outboxOpen } from './outbox-open.ts';
import { outboxRetry } from './outbox-retry.ts';
import { restoreCommand } from './restore.ts';
import { type CliSetup, runCommands } from './run-commands.ts';
import { secretList } from './secret-list.ts';
import { secretRemove } from './secret-remove.ts';
import { secretSet } from './secret-set.ts';
import { storageCopy } from './storage-copy.ts';
import { storageSweep } from './storage-sweep.ts';
import { userCreate } from './user-create.ts';
import { userDelete } from './user-delete.ts';
import { userDisable } from './user-disable.ts';
import { userEnable } from './user-enable.ts';
import { userList } from './user-list.ts';
import { userSetRole } from './user-set-role.ts';

export type { CliSetup } from './run-commands.ts';

/** In the order of the help. */
const commands: readonly Command[] = [
  userList,
  userCreate,
  userSetRole,
  userDisable,
  userEnable,
  userDelete,
  keyRotate,
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
  copyCommand,
  migrateStatus,
  migrateUp,
  migrateDown,
  auditCommand,
];

/** Runs one command of the operator's; answers the exit code. Never throws. */
export function runCli(setup: CliSetup): Promise<number> {
  return runCommands(commands, setup);
}
