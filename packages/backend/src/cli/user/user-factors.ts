import type { Project } from '../../database/project.ts';
import { createMailStore } from '../../mail/index.ts';
import {
  authReader,
  countRecoveryCodes,
  listFactors,
  presentFactor,
  requireAccount,
  resetFactors,
  type UserRow,
  writeOwnerNotice,
} from '../../services/auth/index.ts';
import { type CommandContext, defineCommand } from '../framework/command.ts';
import { presentTable, presentTime } from '../framework/present.ts';

const headings = ['ID', 'KIND', 'NAME', 'ADDED', 'LAST USED'] as const;

export const userFactors = defineCommand({
  name: 'user factors',
  arguments: ['<email|id>'],
  options: {},
  summary: 'Lists the passkeys and the authenticator app of an account.',
  async run({ arguments: [account = ''], json, terminal, ...context }) {
    const project = await context.project();
    const user = await requireAccount(project, account);
    const reader = authReader(project.database);
    const rows = await listFactors(reader, user.id);
    const recoveryCodesLeft = await countRecoveryCodes(reader, user.id);
    if (json) {
      const list = { factors: rows.map(presentFactor), recoveryCodesLeft };
      return terminal.print(JSON.stringify(list, null, 2));
    }
    const cells = rows.map(({ id, kind, name, created_at, last_used_at }) => [
      id,
      kind,
      name,
      presentTime(created_at),
      presentTime(last_used_at),
    ]);
    terminal.print(presentTable(headings, cells));
    terminal.print(`Recovery codes that are left: ${recoveryCodesLeft}.`);
  },
});

export const userResetFactors = defineCommand({
  name: 'user reset-factors',
  arguments: ['<email|id>'],
  options: {},
  summary: 'Removes all second factors of an account, ends its sessions and mails its owner.',
  details:
    'For an owner who has lost them with the recovery codes. Make sure that it is the owner who asks: from then on, the password or a mailed link signs in alone, until a second factor is set up again.',
  async run({ arguments: [account = ''], json, terminal, ...context }) {
    const project = await context.project();
    const user = await requireAccount(project, account);
    const removed = await resetFactors(project, user);
    const isNotified = await notifyOwner({ ...context, terminal }, project, user);
    if (json) {
      return terminal.print(
        JSON.stringify({ id: user.id, removed: removed.map(presentFactor), isNotified }, null, 2),
      );
    }
    terminal.print(
      `${user.email} has no second factor any more (${removed.length} removed) and is signed out.`,
    );
  },
});

/** Mails the owner that it was done. What stands in the way of the mail is reported, and undoes nothing. */
async function notifyOwner(
  {
    config,
    renderMail: render,
    keys,
    terminal,
  }: Pick<CommandContext, 'config' | 'renderMail' | 'keys' | 'terminal'>,
  project: Project,
  user: UserRow,
): Promise<boolean> {
  const {
    publicUrl,
    mail: { from },
  } = config;
  const kind = 'factors-reset';
  try {
    const event = { kind, device: null } as const;
    const at = new Date().toISOString();
    const { userId, ...mail } = await writeOwnerNotice({ render, publicUrl }, project, { user, event, at });
    await createMailStore({ keys: await keys(), from })(project, { kind, mail, userId: userId ?? null });
    return true;
  } catch (error) {
    terminal.note(`The owner was not mailed about it: ${(error as Error).message}`);
    return false;
  }
}
