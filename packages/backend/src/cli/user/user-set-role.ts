import { requireAccount, setRole } from '../../services/auth/index.ts';
import { defineCommand } from '../framework/command.ts';
import { accountJson } from './present-account.ts';

export const userSetRole = defineCommand({
  name: 'user set-role',
  arguments: ['<email|id>', '<role>'],
  options: {},
  summary: 'Gives an account another role.',
  details: 'It takes effect with the next request.',
  async run({ arguments: [account = '', role = ''], json, terminal, ...context }) {
    const project = await context.project();
    const user = await setRole(project, await requireAccount(project, account), role);
    terminal.print(
      json ? JSON.stringify(accountJson(user), null, 2) : `${user.email} has the role ${user.role}.`,
    );
  },
});
