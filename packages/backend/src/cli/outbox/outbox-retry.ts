import { retryMails } from '../../mail/index.ts';
import { defineCommand } from '../framework/command.ts';
import { CommandError } from '../framework/command-error.ts';
import { findMail, readMails } from './read-mails.ts';

export const outboxRetry = defineCommand({
  name: 'outbox retry',
  arguments: ['<number|id|all>'],
  options: {},
  summary: 'Sends a failed or waiting mail again, or all of them.',
  details:
    'Numbers are those of "fabrica outbox". The server sends them within half a minute; without SMTP_URL, it writes them to its folder.',
  async run({ arguments: [numberOrId = ''], terminal, json, ...context }) {
    const mails = await readMails({ ...context, terminal });
    const chosen =
      numberOrId === 'all' ? mails.filter(({ state }) => state !== 'kept') : [findMail(mails, numberOrId)];
    if (chosen.some(({ state }) => state === 'kept')) {
      throw new CommandError(
        'This mail was never meant to leave: there was no mail server when it was written.',
      );
    }
    const { database } = await context.project();
    const ids = chosen.map(({ id }) => id);
    const retried = ids.length > 0 ? await retryMails(database, ids, Date.now()) : 0;
    if (json) return terminal.print(JSON.stringify({ retried }, null, 2));
    if (numberOrId !== 'all' && retried === 0) throw new CommandError('This mail is on its way just now.');
    terminal.print(`${retried} ${retried === 1 ? 'mail is' : 'mails are'} sent again.`);
  },
});
