import { disableUser, requireAccount } from '../../services/auth/index.ts';
import { defineCommand } from '../framework/command.ts';
import { accountJson } from './present-account.ts';

export const userDisable = defineCommand({
  name: 'user disable',
  arguments: ['<email|id>'],
  options: {},
  summary: 'Closes an account and ends its sessions.',
  details: 'What it has published stays. "fabrica user enable" opens it again.',
  async run({ arguments: [account = ''], json, terminal, ...context }) {
    const project = await context.project();
    const user = await disableUser(project, await requireAccount(project, account));
    const sentence = `${user.email} is disabled and signed out everywhere.`;
    terminal.print(json ? JSON.stringify(accountJson(user), null, 2) : sentence);
  },
});
