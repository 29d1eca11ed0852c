import { defineCommand } from '../framework/command.ts';
import { parseLimit } from '../framework/parse-limit.ts';
import { presentTable } from '../framework/present-table.ts';
import { presentTime } from '../framework/present-time.ts';
import { readMails, type ShownMail } from './read-mails.ts';

export const outboxList = defineCommand({
  name: 'outbox list',
  alias: 'outbox',
  arguments: [],
  options: {
    limit: { value: '<number>', description: 'How many at most (20).' },
    sent: { description: 'Also those that were sent in the last seven days.' },
  },
  summary: 'Lists the mails that wait, that failed, or that are kept here for want of a mail server.',
  async run({ options, terminal, json, ...context }) {
    const limit = parseLimit(options.limit, 20);
    const { sent = false } = options;
    const all = await readMails({ ...context, terminal }, { sent });
    const mails = all.slice(0, limit).map((mail, index) => ({ number: index + 1, ...mail }));
    if (json) return terminal.print(JSON.stringify(mails, null, 2));
    const rows = mails.map((mail) => [
      mail.number,
      presentTime(Date.parse(mail.at)),
      presentState(mail),
      mail.to,
      mail.subject,
    ]);
    terminal.print(presentTable(['NUMBER', 'TIME', 'STATE', 'TO', 'SUBJECT'], rows));
    if (mails.length < all.length)
      terminal.note(`${mails.length} of ${all.length} mails; --limit shows more.`);
  },
});

/** `waiting (ECONNREFUSED)`: why it was not sent yet. */
function presentState({ state, lastError }: ShownMail): string {
  return lastError ? `${state} (${lastError})` : state;
}
