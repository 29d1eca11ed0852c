import { requireAccount, setRole } from '../../services/auth/index.ts';
import type { Cli } from '../program/run-program.ts';
import { accountJson } from './present-account.ts';

export function userSetRole({ command, run }: Cli): void {
  command('user set-role', 'Gives an account another role.')
    .argument('<email|id>')
    .argument('<role>')
    .addHelpText('after', '\nIt takes effect with the next request.')
    .action(
      run(async (context, account, role) => {
        const project = await context.project();
        const user = await setRole(project, await requireAccount(project, account), role);
        context.show(accountJson(user), `${user.email} has the role ${user.role}.`);
      }),
    );
}
