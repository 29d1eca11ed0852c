import {
  createMailSeal,
  listMails,
  listMessages,
  type MailSeal,
  type MailState,
  type OutboxRow,
  outboxFolder,
  readAttachments,
  readMessage,
  readStoredMails,
  type StoredMail,
} from '../../mail/index.ts';
import { CommandError } from '../program/command-error.ts';
import type { CommandContext } from '../program/context.ts';
import { isoTime } from '../program/present.ts';

/**
 * A mail as the operator sees it: one of the database's outbox, or one of the folder that takes mails without
 * a mail server.
 */
export interface ShownMail extends Omit<StoredMail, 'subject' | 'html' | 'text'> {
  state: MailState | 'kept';
  /** The purpose of the mail; `null` for a mail of the folder, `message` for one that nobody was to be mailed. */
  kind: string | null;
  /** The content of a sent mail is deleted. */
  subject: string | null;
  html: string | null;
  text: string | null;
  tries: number;
  /** ISO 8601. */
  nextTryAt: string | null;
  lastError: string | null;
}

type Context = Pick<CommandContext, 'config' | 'terminal' | 'project' | 'keys'>;

const UNSENT: readonly MailState[] = ['waiting', 'failed'];

/** Returns the newest mails first. Mails of the folder that cannot be read are reported and left out. */
export async function readMails(context: Context, { sent = false } = {}): Promise<ShownMail[]> {
  const { config, terminal } = context;
  const seal = createMailSeal(await context.keys());
  const onDamaged = (path: string) => terminal.note(`The mail ${path} is damaged.`);
  const kept = await readStoredMails(outboxFolder(config.dataDir), seal, onDamaged);
  const { database } = await context.project();
  const rows = await listMails(database, sent ? [...UNSENT, 'sent'] : UNSENT);
  const known = new Set(kept.map(({ messageId }) => messageId));
  const shown = [
    // A mail that was just written to the folder may not be marked as sent yet.
    ...rows
      .filter((row) => !known.has(row.message_id))
      .map((row) => showRow(row, { sender: config.mail.from, seal })),
    ...kept.map(showKept),
    ...(await listMessages(database, seal)).map(showMessage),
  ];
  return shown.sort((left, right) => Date.parse(right.at) - Date.parse(left.at));
}

/** Returns a mail by its number in the list or by its id. */
export function findMail(mails: readonly ShownMail[], numberOrId: string): ShownMail {
  const mail =
    mails.find(({ id }) => id === numberOrId) ??
    (/^\d+$/.test(numberOrId) ? mails[Number(numberOrId) - 1] : undefined);
  if (mail) return mail;
  throw new CommandError(
    mails.length === 0
      ? 'The outbox is empty.'
      : `There is no mail "${numberOrId}": name a number from 1 to ${mails.length}, or an id.`,
  );
}

/** Adds the attachments to a mail. */
export async function readWhole(
  { project, keys }: Pick<Context, 'project' | 'keys'>,
  mail: ShownMail,
): Promise<ShownMail> {
  if (mail.state === 'kept') return mail;
  const { database } = await project();
  const found = await readAttachments(database.reader, mail.id, createMailSeal(await keys()));
  const attachments = found.map(({ filename, contentType, content }) => {
    return { filename, contentType, bytes: Buffer.byteLength(content, 'base64') };
  });
  return attachments.length > 0 ? { ...mail, attachments } : mail;
}

function showKept(mail: StoredMail): ShownMail {
  return { ...mail, state: 'kept', kind: null, tries: 0, nextTryAt: null, lastError: null };
}

function showMessage({ at, ...message }: Awaited<ReturnType<typeof listMessages>>[number]): ShownMail {
  const { id, from, subject, text } = message;
  const mail = { id, at: new Date(at).toISOString(), to: 'operator', from, subject, text, html: '' };
  return { ...showKept(mail), kind: 'message' };
}

function showRow(row: OutboxRow, { sender, seal }: { sender: string; seal: MailSeal }): ShownMail {
  const { id, message } = row;
  const mail = message === null ? null : readMessage({ id, message }, seal);
  const { name, address } = mail?.from ?? {};
  return {
    id,
    at: new Date(row.created_at).toISOString(),
    state: row.state,
    kind: row.kind,
    to: row.to_address,
    from: address ? `${name} <${address}>`.trim() : sender,
    subject: mail?.subject ?? null,
    html: mail?.html ?? null,
    text: mail?.text ?? null,
    messageId: row.message_id,
    tries: row.tries,
    nextTryAt: row.state === 'waiting' ? isoTime(row.next_try_at) : null,
    lastError: row.last_error,
  };
}
