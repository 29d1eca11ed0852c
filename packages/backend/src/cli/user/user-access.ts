import { disableUser, enableUser, requireAccount } from '../../services/auth/index.ts';
import type { Cli } from '../program/run-program.ts';
import { requireModeratedTables } from './moderated-tables.ts';
import { accountJson } from './present-account.ts';

export function userDisable({ command, run }: Cli): void {
  command('user disable', 'Disables an account and ends its sessions.')
    .argument('<email|id>')
    .option('--hide-comments', 'Hides its comments until it is enabled.')
    .addHelpText(
      'after',
      `
What it published stays, and so do its comments without --hide-comments, which also hides those of an account that is
disabled already. "fabrica user enable" enables it again and shows them.`,
    )
    .action(
      run(async (context, account, { hideComments: hides = false }) => {
        const project = await context.project();
        if (hides) requireModeratedTables(project);
        const user = await disableUser(project, await requireAccount(project, account), { hides });
        const hidden = hides ? ' Its comments are hidden.' : '';
        context.show(accountJson(user), `${user.email} is disabled and signed out everywhere.${hidden}`);
      }),
    );
}

export function userEnable({ command, run }: Cli): void {
  command('user enable', 'Enables a disabled account.')
    .argument('<email|id>')
    .action(
      run(async (context, account) => {
        const project = await context.project();
        const user = await enableUser(project, await requireAccount(project, account));
        context.show(accountJson(user), `${user.email} is enabled and may sign in.`);
      }),
    );
}
