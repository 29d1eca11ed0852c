import { defineCommand } from '../framework/command.ts';
import { parseLimit } from '../framework/parse-values.ts';
import { presentTable, presentTime } from '../framework/present.ts';
import { readMails, type ShownMail } from './read-mails.ts';

export const outboxList = defineCommand({
  name: 'outbox list',
  isDefault: true,
  arguments: [],
  options: {
    limit: { value: '<number>', description: 'How many at most (default: 20).' },
    sent: { description: 'Also shows mails of the last seven days that were sent.' },
  },
  summary: 'Lists mails that wait, failed, or have no mail server to go to.',
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

/** Returns the state with the last error: `waiting (ECONNREFUSED)`. */
function presentState({ state, lastError }: ShownMail): string {
  return lastError ? `${state} (${lastError})` : state;
}
