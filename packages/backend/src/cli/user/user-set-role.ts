import { changeRole, requireAccount } from '../../services/auth/index.ts';
import type { Cli } from '../program/run-program.ts';
import { tellAdmins } from './mail-notice.ts';
import { accountJson } from './present-account.ts';

export function userSetRole({ command, run }: Cli): void {
  command('user set-role', 'Gives an account another role.')
    .argument('<email|id>')
    .argument('<role>')
    .addHelpText(
      'after',
      '\nIt takes effect with the next request, and all who may give roles are told of it by mail.',
    )
    .action(
      run(async (context, account, role) => {
        const project = await context.project();
        const { id: personId } = await requireAccount(project, account);
        const source = { ip: null, device: null };
        const changed = await changeRole(project, { personId, role, source });
        await tellAdmins(context, project, changed);
        const { person } = changed;
        context.show(accountJson(person), `${person.email} has the role ${person.role}.`);
      }),
    );
}
