import { listUsers } from '../../services/auth/index.ts';
import { defineCommand } from '../framework/command.ts';
import { parseLimit } from '../framework/parse-values.ts';
import { presentTable } from '../framework/present.ts';
import { accountCells, accountHeadings, accountJson } from './present-account.ts';

export const userList = defineCommand({
  name: 'user list',
  arguments: [],
  options: {
    search: { value: '<text>', description: 'Only accounts with this in their e-mail, name or id.' },
    limit: { value: '<number>', description: 'How many at most (default: 50).' },
  },
  summary: 'Lists accounts, the newest first.',
  async run({ options, project, terminal, json }) {
    const limit = parseLimit(options.limit, 50);
    const { users, total } = await listUsers(await project(), { search: options.search, limit });
    if (json) return terminal.print(JSON.stringify(users.map(accountJson), null, 2));
    terminal.print(presentTable(accountHeadings, users.map(accountCells)));
    if (users.length < total) terminal.note(`${users.length} of ${total} accounts; --limit shows more.`);
  },
});
