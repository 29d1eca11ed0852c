import { pino } from 'pino';
import { createInProcessBus } from '../../core/bus.ts';
import type { Project } from '../../database/project.ts';
import { createRateLimits } from '../../http/rate-limit.ts';
import { deleteAccount, requireAccount } from '../../services/auth/index.ts';
import { createStorage, openBlobs } from '../../services/storage/index.ts';
import { CommandError } from '../program/command-error.ts';
import type { CommandContext } from '../program/context.ts';
import { printable } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import { confirm } from '../program/terminal.ts';
import { requireModeratedTables } from './moderated-tables.ts';

export function userDelete({ command, run }: Cli): void {
  command('user delete', 'Deletes an account with its posts, files and sessions.')
    .argument('<email|id>')
    .option('--yes', 'Skips the confirmation.')
    .option('--with-comments', 'Deletes its comments, which else stay without its name.')
    .addHelpText(
      'after',
      '\nThis cannot be undone. To keep somebody out and leave everything as it is, use "fabrica user disable".',
    )
    .action(
      run(async (context, account, { yes, withComments: withModerated = false }) => {
        const project = await context.project();
        const { id, email } = await requireAccount(project, account);
        if (withModerated) requireModeratedTables(project);
        if (!yes) {
          await confirm(context.terminal, {
            question: `Delete ${printable(email)} and all that is its own, for good?`,
            notInteractive: `Nobody can be asked here whether ${email} is to be deleted: say so with --yes.`,
            declined: 'Nothing was deleted.',
          });
        }
        if (!(await deleteAccountWithFiles(context, { project, userId: id, withModerated })))
          throw new CommandError(`${email} was deleted meanwhile.`);
        context.show({ id, email, deleted: true }, `${email} is deleted.`);
      }),
    );
}

/**
 * Deletes the account with a storage service on the bus, which removes the files of deleted rows as in the
 * server.
 */
export async function deleteAccountWithFiles(
  { config }: CommandContext,
  account: { project: Project; userId: string; withModerated: boolean },
): Promise<boolean> {
  const { project } = account;
  const bus = createInProcessBus();
  const storage = createStorage({
    ...openBlobs(config),
    publicUrl: config.storage.publicUrl,
    quota: config.storage.quota,
    projects: new Map([[project.definition.id, project]]),
    bus,
    limits: createRateLimits({ enabled: false }),
    log: pino({ level: config.logLevel, base: null }, pino.destination(2)),
  });
  try {
    return await deleteAccount({ ...account, bus });
  } finally {
    await storage.close();
  }
}
