import { requireAccount, verifyUser } from '../../services/auth/index.ts';
import type { Cli } from '../program/run-program.ts';
import { accountJson } from './present-account.ts';

export function userVerify({ command, run }: Cli): void {
  command('user verify', 'Marks the e-mail of an account as verified.')
    .argument('<email|id>')
    .addHelpText(
      'after',
      '\nFor a server without a mail server. Make sure that whoever asks has the mailbox and made the account: its password and sessions stay.',
    )
    .action(
      run(async (context, account) => {
        const project = await context.project();
        const user = await verifyUser(project, await requireAccount(project, account));
        context.show(accountJson(user), `${user.email} is verified.`);
      }),
    );
}
