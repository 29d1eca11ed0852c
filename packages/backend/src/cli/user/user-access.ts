import { disableUser, enableUser, requireAccount } from '../../services/auth/index.ts';
import { defineCommand } from '../framework/command.ts';
import { requireModeratedTables } from './moderated-tables.ts';
import { accountJson } from './present-account.ts';

export const userDisable = defineCommand({
  name: 'user disable',
  arguments: ['<email|id>'],
  options: { 'hide-comments': { description: 'Hides its comments until it is enabled.' } },
  summary: 'Disables an account and ends its sessions.',
  details: `What it published stays, and so do its comments without --hide-comments, which also hides those of an account that is
disabled already. "fabrica user enable" enables it again and shows them.`,
  async run({ arguments: [account = ''], options, json, terminal, ...context }) {
    const project = await context.project();
    const hides = Boolean(options['hide-comments']);
    if (hides) requireModeratedTables(project);
    const user = await disableUser(project, await requireAccount(project, account), { hides });
    const hidden = hides ? ' Its comments are hidden.' : '';
    const sentence = `${user.email} is disabled and signed out everywhere.${hidden}`;
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
