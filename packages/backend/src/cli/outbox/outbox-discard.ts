import { deleteMails, deleteMessage, deleteStoredMail, outboxFolder } from '../../mail/index.ts';
import type { Cli } from '../program/run-program.ts';
import { findMail, readMails } from './read-mails.ts';

export function outboxDiscard({ command, run }: Cli): void {
  command('outbox discard', 'Deletes a mail of the outbox; it is not sent.')
    .argument('<number|id>')
    .addHelpText(
      'after',
      '\nNumbers are those of "fabrica outbox". A mail that is being sent may still arrive.',
    )
    .action(
      run(async (context, numberOrId) => {
        const mail = findMail(await readMails(context), numberOrId);
        if (mail.kind === 'message') await deleteMessage((await context.project()).database, mail.id);
        else if (mail.state === 'kept') await deleteStoredMail(outboxFolder(context.config.dataDir), mail.id);
        else await deleteMails((await context.project()).database, [mail.id]);
        context.show({ discarded: mail.id }, 'The mail is thrown away.');
      }),
    );
}
