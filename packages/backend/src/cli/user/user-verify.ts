import { requireAccount, verifyUser } from '../../services/auth/index.ts';
import { defineCommand } from '../framework/command.ts';
import { accountJson } from './present-account.ts';

export const userVerify = defineCommand({
  name: 'user verify',
  arguments: ['<email|id>'],
  options: {},
  summary: 'Marks the e-mail of an account as verified.',
  details:
    'For a server without a mail server. Make sure that whoever asks has the mailbox and made the account: its password and sessions stay.',
  async run({ arguments: [account = ''], json, terminal, ...context }) {
    const project = await context.project();
    const user = await verifyUser(project, await requireAccount(project, account));
    terminal.print(json ? JSON.stringify(accountJson(user), null, 2) : `${user.email} is verified.`);
  },
});
