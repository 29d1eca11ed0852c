import { pino } from 'pino';
import { createInProcessBus } from '../../core/bus.ts';
import type { Project } from '../../database/project.ts';
import { createRateLimits } from '../../http/rate-limit.ts';
import { deleteAccount, requireAccount } from '../../services/auth/index.ts';
import { createStorage, openBlobs } from '../../services/storage/index.ts';
import { type CommandContext, defineCommand } from '../framework/command.ts';
import { CommandError } from '../framework/command-error.ts';
import { printable } from '../framework/present.ts';
import { confirm } from '../framework/terminal.ts';
import { requireModeratedTables } from './moderated-tables.ts';

export const userDelete = defineCommand({
  name: 'user delete',
  arguments: ['<email|id>'],
  options: {
    yes: { description: 'Skips the confirmation.' },
    'with-comments': { description: 'Deletes its comments, which else stay without its name.' },
  },
  summary: 'Deletes an account with its posts, files and sessions.',
  details:
    'This cannot be undone. To keep somebody out and leave everything as it is, use "fabrica user disable".',
  async run({ arguments: [account = ''], options, json, ...context }) {
    const { terminal } = context;
    const project = await context.project();
    const { id, email } = await requireAccount(project, account);
    const withModerated = Boolean(options['with-comments']);
    if (withModerated) requireModeratedTables(project);
    if (!options.yes) {
      await confirm(terminal, {
        question: `Delete ${printable(email)} and all that is its own, for good?`,
        notInteractive: `Nobody can be asked here whether ${email} is to be deleted: say so with --yes.`,
        declined: 'Nothing was deleted.',
      });
    }
    if (!(await deleteWithFiles(context, { project, userId: id, withModerated })))
      throw new CommandError(`${email} was deleted meanwhile.`);
    terminal.print(json ? JSON.stringify({ id, email, deleted: true }, null, 2) : `${email} is deleted.`);
  },
});

/**
 * Deletes the account with a storage service on the bus, which removes the files of deleted rows as in the
 * server.
 */
async function deleteWithFiles(
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
