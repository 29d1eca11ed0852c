import { deleteMails, deleteStoredMail } from '../../mail/index.ts';
import { defineCommand } from '../framework/command.ts';
import { findMail, outboxFolder, readMails } from './read-mails.ts';

export const outboxDiscard = defineCommand({
  name: 'outbox discard',
  arguments: ['<number|id>'],
  options: {},
  summary: 'Throws a mail of the outbox away: it is not sent any more.',
  details: 'Numbers are those of "fabrica outbox". One that is on its way just now may still arrive.',
  async run({ arguments: [asked = ''], terminal, json, ...context }) {
    const mail = findMail(await readMails({ ...context, terminal }), asked);
    if (mail.state === 'kept') await deleteStoredMail(outboxFolder(context), mail.id);
    else await deleteMails((await context.project()).database, [mail.id]);
    terminal.print(json ? JSON.stringify({ discarded: mail.id }, null, 2) : 'The mail is thrown away.');
  },
});
