import type { Project } from '../../database/project.ts';
import { createMailStore, type OwnerNoticeKind } from '../../mail/index.ts';
import { type ChangedRole, type UserRow, writeOwnerNotice } from '../../services/auth/index.ts';
import type { CommandContext } from '../program/context.ts';

/**
 * Puts a mail about what an operator has done into the outbox, from which the server sends it, and returns whether it is there.
 * What stands in the way of the mail is reported, and undoes nothing.
 */
export async function mailNotice(
  { config, renderMail: render, keys, terminal }: CommandContext,
  project: Project,
  user: UserRow,
  notice: { kind: OwnerNoticeKind; subject?: string },
): Promise<boolean> {
  const {
    publicUrl,
    mail: { from },
  } = config;
  const { kind } = notice;
  try {
    const event = { ...notice, device: null };
    const at = new Date().toISOString();
    const { userId, ...mail } = await writeOwnerNotice({ render, publicUrl }, project, { user, event, at });
    await createMailStore({ keys: await keys(), from })(project, { kind, mail, userId: userId ?? null });
    return true;
  } catch (error) {
    terminal.note(`${user.email} was not mailed about it: ${(error as Error).message}`);
    return false;
  }
}

/** Mails all who may give roles that an operator has given one. */
export async function tellAdmins(
  context: CommandContext,
  project: Project,
  { admins, notice }: ChangedRole,
): Promise<void> {
  for (const admin of admins) await mailNotice(context, project, admin, notice);
}
