import {
  authReader,
  countRecoveryCodes,
  listFactors,
  presentFactor,
  requireAccount,
  resetFactors,
} from '../../services/auth/index.ts';
import { presentTable, presentTime } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import { mailNotice } from './mail-notice.ts';

const headings = ['ID', 'KIND', 'NAME', 'ADDED', 'LAST USED'] as const;

export function userFactors({ command, run }: Cli): void {
  command('user factors', 'Lists the passkeys and the authenticator app of an account.')
    .argument('<email|id>')
    .action(
      run(async (context, account) => {
        const project = await context.project();
        const user = await requireAccount(project, account);
        const reader = authReader(project.database);
        const rows = await listFactors(reader, user.id);
        const recoveryCodesLeft = await countRecoveryCodes(reader, user.id);
        const cells = rows.map(({ id, kind, name, created_at, last_used_at }) => [
          ...[id, kind, name, presentTime(created_at), presentTime(last_used_at)],
        ]);
        context.show(
          { factors: rows.map(presentFactor), recoveryCodesLeft },
          `${presentTable(headings, cells)}\nRecovery codes that are left: ${recoveryCodesLeft}.`,
        );
      }),
    );
}

export function userResetFactors({ command, run }: Cli): void {
  command(
    'user reset-factors',
    'Removes all second factors of an account, ends its sessions and mails its owner.',
  )
    .argument('<email|id>')
    .addHelpText(
      'after',
      '\nFor an owner who has lost them with the recovery codes. Make sure that it is the owner who asks: from then on, the password or a mailed link signs in alone, until a second factor is set up again.',
    )
    .action(
      run(async (context, account) => {
        const project = await context.project();
        const user = await requireAccount(project, account);
        const removed = await resetFactors(project, user);
        const isNotified = await mailNotice(context, project, user, { kind: 'factors-reset' });
        context.show(
          { id: user.id, removed: removed.map(presentFactor), isNotified },
          `${user.email} has no second factor any more (${removed.length} removed) and is signed out.`,
        );
      }),
    );
}
