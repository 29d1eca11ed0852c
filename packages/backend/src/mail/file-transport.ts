import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { MailTransport, OutgoingMail } from './mail-transport.ts';
import { parseSender } from './parse-sender.ts';
import { recipientsOf, requireSendable } from './require-sendable.ts';

/** Mails that stay; the oldest are deleted. */
const MAX_MAILS = 500;
/** Matches the files of mails and drafts. Their names sort by time. */
const FILE_NAME = /^(\d{8}T\d{9}Z-[0-9a-f]{8})\.json(\.draft)?$/;

const storedMail = z.object({
  at: z.iso.datetime(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  messageId: z.string().optional(),
  attachments: z
    .array(z.object({ filename: z.string(), contentType: z.string(), bytes: z.number() }))
    .optional(),
});

/** A mail in the folder, which the operator can read. */
export interface StoredMail {
  /** The name of its file, without the extension. */
  id: string;
  /** ISO 8601. */
  at: string;
  /** The recipients, separated by commas. */
  to: string;
  from: string;
  subject: string;
  html: string;
  text: string;
  messageId?: string | undefined;
  /** Names, types and sizes; the contents are not stored. */
  attachments?: readonly { filename: string; contentType: string; bytes: number }[] | undefined;
}

export interface FileTransportOptions {
  /** Is created if it is missing. Only its owner may read it, because mails contain links that sign in. */
  folder: string;
  from: string;
}

/** Stores mails as files instead of sending them, so that the operator can read them without a mail server. */
export function createFileTransport({ folder, from }: FileTransportOptions): MailTransport {
  parseSender(from);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  let latest = 0;
  return {
    async send(mail) {
      requireSendable(mail);
      // Mails keep their order within a millisecond, and when the clock is set back.
      latest = Math.max(Date.now(), latest + 1);
      const at = new Date(latest).toISOString();
      const name = `${at.replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}.json`;
      await writeWhole(join(folder, name), JSON.stringify(toStored(mail, { at, from }), null, 2));
      await removeOldest(folder);
      return [];
    },
    async verify() {},
    async close() {},
  };
}

function toStored(
  mail: OutgoingMail,
  { at, from: sender }: { at: string; from: string },
): Omit<StoredMail, 'id'> {
  const { from, subject, html, text, messageId, attachments = [] } = mail;
  const to = (mail.only ?? recipientsOf(mail)).join(', ');
  return {
    at,
    to,
    from: from ? `${from.name} <${from.address}>`.trim() : sender,
    subject,
    html,
    text,
    ...(messageId && { messageId }),
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ filename, contentType, content }) => {
        return { filename, contentType, bytes: Buffer.byteLength(content, 'base64') };
      }),
    }),
  };
}

/**
 * Returns the mails of a folder, newest first; none when there is no such folder. A damaged file is left out and reported
 * to `onDamaged`, which by default emits a warning of the process.
 */
export async function readStoredMails(
  folder: string,
  onDamaged: (path: string) => void = (path) => process.emitWarning(`The mail ${path} is damaged.`),
): Promise<StoredMail[]> {
  const mails: StoredMail[] = [];
  for (const name of (await listNames(folder)).filter((name) => name.endsWith('.json')).reverse()) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      // It was deleted meanwhile, to make room for a newer one.
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) continue;
    const mail = parseMail(text);
    if (mail) mails.push({ id: name.replace(/\.json$/, ''), ...mail });
    else onDamaged(path);
  }
  return mails;
}

export async function deleteStoredMail(folder: string, id: string): Promise<void> {
  const name = `${id}.json`;
  if (FILE_NAME.test(name)) await rm(join(folder, name), { force: true });
}

function parseMail(text: string): z.infer<typeof storedMail> | undefined {
  try {
    return storedMail.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Writes a draft and renames it, so that a file under its final name is always complete. */
async function writeWhole(path: string, content: string): Promise<void> {
  const draft = `${path}.draft`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Deletes the oldest mails, and drafts of that time that a crash has left. */
async function removeOldest(folder: string): Promise<void> {
  const names = await listNames(folder);
  const firstToStay = names.filter((name) => name.endsWith('.json')).at(-MAX_MAILS);
  if (!firstToStay) return;
  for (const name of names.filter((name) => name < firstToStay))
    await rm(join(folder, name), { force: true });
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => FILE_NAME.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
