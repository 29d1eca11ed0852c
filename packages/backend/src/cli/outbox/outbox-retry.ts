import { retryMails } from '../../mail/index.ts';
import { CommandError } from '../program/command-error.ts';
import type { Cli } from '../program/run-program.ts';
import { findMail, readMails } from './read-mails.ts';

export function outboxRetry({ command, run }: Cli): void {
  command('outbox retry', 'Sends a failed or waiting mail again, or all of them.')
    .argument('<number|id|all>')
    .addHelpText(
      'after',
      '\nNumbers are those of "fabrica outbox". The server sends them within half a minute; without SMTP_URL, it writes them to its folder.',
    )
    .action(
      run(async (context, numberOrId) => {
        const mails = await readMails(context);
        const isAll = numberOrId === 'all';
        const chosen = isAll ? mails.filter(({ state }) => state !== 'kept') : [findMail(mails, numberOrId)];
        if (chosen.some(({ state }) => state === 'kept')) {
          throw new CommandError(
            'This mail was never meant to leave: there was no mail server, or nobody to mail it to, when it was written.',
          );
        }
        const { database } = await context.project();
        const ids = chosen.map(({ id }) => id);
        const retried = ids.length > 0 ? await retryMails(database, ids, Date.now()) : 0;
        if (!isAll && retried === 0 && !context.json)
          throw new CommandError('This mail is on its way just now.');
        context.show({ retried }, `${retried} ${retried === 1 ? 'mail is' : 'mails are'} sent again.`);
      }),
    );
}
