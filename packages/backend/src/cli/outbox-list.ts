import { defineCommand } from './command.ts';
import { parseLimit } from './parse-limit.ts';
import { presentTable } from './present-table.ts';
import { presentTime } from './present-time.ts';
import { readMails } from './read-mails.ts';

export const outboxList = defineCommand({
  name: 'outbox list',
  alias: 'outbox',
  arguments: [],
  options: { limit: { value: '<number>', description: 'How many at most (20).' } },
  summary: 'Lists the mails that are kept here for want of a mail server.',
  async run({ options, config, terminal, json }) {
    const limit = parseLimit(options.limit, 20);
    const kept = await readMails(config, terminal);
    const mails = kept.slice(0, limit).map((mail, index) => ({ number: index + 1, ...mail }));
    if (json) return terminal.print(JSON.stringify(mails, null, 2));
    const rows = mails.map(({ number, at, to, subject }) => [
      number,
      presentTime(Date.parse(at)),
      to,
      subject,
    ]);
    terminal.print(presentTable(['NUMBER', 'TIME', 'TO', 'SUBJECT'], rows));
    if (mails.length < kept.length)
      terminal.note(`${mails.length} of ${kept.length} mails; --limit shows more.`);
  },
});
