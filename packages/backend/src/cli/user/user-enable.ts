import { enableUser, requireAccount } from '../../services/auth/index.ts';
import { defineCommand } from '../framework/command.ts';
import { accountJson } from './present-account.ts';

export const userEnable = defineCommand({
  name: 'user enable',
  arguments: ['<email|id>'],
  options: {},
  summary: 'Opens a disabled account again.',
  async run({ arguments: [account = ''], json, terminal, ...context }) {
    const project = await context.project();
    const user = await enableUser(project, await requireAccount(project, account));
    terminal.print(
      json ? JSON.stringify(accountJson(user), null, 2) : `${user.email} is enabled and may sign in.`,
    );
  },
});
