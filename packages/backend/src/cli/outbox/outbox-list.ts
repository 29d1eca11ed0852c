import { countUpTo } from '../program/parse-values.ts';
import { presentTable, presentTime } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import { readMails, type ShownMail } from './read-mails.ts';

export function outboxList({ command, run }: Cli): void {
  command(
    'outbox list',
    'Lists mails that wait, failed, or have no mail server to go to, and messages of the contact form.',
    {
      isDefault: true,
    },
  )
    .option('--limit <number>', 'How many at most.', countUpTo(10_000), 20)
    .option('--sent', 'Also shows mails of the last seven days that were sent.')
    .action(
      run(async (context, { limit, sent = false }) => {
        const all = await readMails(context, { sent });
        const mails = all.slice(0, limit).map((mail, index) => ({ number: index + 1, ...mail }));
        const rows = mails.map((mail) => [
          ...[mail.number, presentTime(Date.parse(mail.at)), presentState(mail), mail.to, mail.subject],
        ]);
        context.show(mails, presentTable(['NUMBER', 'TIME', 'STATE', 'TO', 'SUBJECT'], rows));
        if (!context.json && mails.length < all.length)
          context.terminal.note(`${mails.length} of ${all.length} mails; --limit shows more.`);
      }),
    );
}

/** Returns the state with the last error: `waiting (ECONNREFUSED)`. */
function presentState({ state, lastError }: ShownMail): string {
  return lastError ? `${state} (${lastError})` : state;
}
