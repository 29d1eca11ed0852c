import { deleteMails, deleteStoredMail, outboxFolder } from '../../mail/index.ts';
import { defineCommand } from '../framework/command.ts';
import { findMail, readMails } from './read-mails.ts';

export const outboxDiscard = defineCommand({
  name: 'outbox discard',
  arguments: ['<number|id>'],
  options: {},
  summary: 'Deletes a mail of the outbox; it is not sent.',
  details: 'Numbers are those of "fabrica outbox". A mail that is being sent may still arrive.',
  async run({ arguments: [numberOrId = ''], terminal, json, ...context }) {
    const mail = findMail(await readMails({ ...context, terminal }), numberOrId);
    if (mail.state === 'kept') await deleteStoredMail(outboxFolder(context.config.dataDir), mail.id);
    else await deleteMails((await context.project()).database, [mail.id]);
    terminal.print(json ? JSON.stringify({ discarded: mail.id }, null, 2) : 'The mail is thrown away.');
  },
});
