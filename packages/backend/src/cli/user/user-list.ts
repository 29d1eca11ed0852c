import { listUsers } from '../../services/auth/index.ts';
import { countUpTo } from '../program/parse-values.ts';
import { presentTable } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import { accountCells, accountHeadings, accountJson } from './present-account.ts';

export function userList({ command, run }: Cli): void {
  command('user list', 'Lists accounts, the newest first.')
    .option('--search <text>', 'Only accounts with this in their e-mail, name or id.')
    .option('--limit <number>', 'How many at most.', countUpTo(10_000), 50)
    .action(
      run(async ({ project, show, terminal, json }, { search, limit }) => {
        const { users, total } = await listUsers(await project(), { search, limit });
        show(users.map(accountJson), presentTable(accountHeadings, users.map(accountCells)));
        if (!json && users.length < total)
          terminal.note(`${users.length} of ${total} accounts; --limit shows more.`);
      }),
    );
}
