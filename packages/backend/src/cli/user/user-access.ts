import { disableUser, enableUser, requireAccount } from '../../services/auth/index.ts';
import { defineCommand } from '../framework/command.ts';
import { accountJson } from './present-account.ts';

export const userDisable = defineCommand({
  name: 'user disable',
  arguments: ['<email|id>'],
  options: {},
  summary: 'Disables an account and ends its sessions.',
  details: 'What it published stays. "fabrica user enable" enables it again.',
  async run({ arguments: [account = ''], json, terminal, ...context }) {
    const project = await context.project();
    const user = await disableUser(project, await requireAccount(project, account));
    const sentence = `${user.email} is disabled and signed out everywhere.`;
    terminal.print(json ? JSON.stringify(accountJson(user), null, 2) : sentence);
  },
});

export const userEnable = defineCommand({
  name: 'user enable',
  arguments: ['<email|id>'],
  options: {},
  summary: 'Enables a disabled account.',
  async run({ arguments: [account = ''], json, terminal, ...context }) {
    const project = await context.project();
    const user = await enableUser(project, await requireAccount(project, account));
    terminal.print(
      json ? JSON.stringify(accountJson(user), null, 2) : `${user.email} is enabled and may sign in.`,
    );
  },
});
