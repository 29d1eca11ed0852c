import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { MailSeal } from './mail-seal.ts';
import type { MailTransport, OutgoingMail } from './mail-transport.ts';
import { parseSender } from './parse-sender.ts';
import { recipientsOf, requireSendable } from './require-sendable.ts';

/** Mails that stay; the oldest are deleted. */
const MAX_MAILS = 500;
/** Matches the files of mails and drafts. Their names sort by time. */
const FILE_NAME = /^(\d{8}T\d{9}Z-[0-9a-f]{8})\.json(\.draft)?$/;

/** The words of a mail, with links that sign in: a file has them sealed. */
const content = z.object({ subject: z.string(), html: z.string(), text: z.string() });
const envelope = z.object({
  at: z.iso.datetime(),
  to: z.string(),
  from: z.string(),
  messageId: z.string().optional(),
  attachments: z
    .array(z.object({ filename: z.string(), contentType: z.string(), bytes: z.number() }))
    .optional(),
});
const sealedMail = envelope.extend({ sealed: z.string() });
/** A file of an older version. */
const plainMail = envelope.extend(content.shape);

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
  /** The folder of the mails, which is created if it is missing. Only its owner may read it: mails contain links that sign in. */
  folder: string;
  from: string;
  seal: MailSeal;
}

/** Stores mails as sealed files instead of sending them, so that the operator can read them without a mail server. */
export function createFileTransport({ folder, from, seal }: FileTransportOptions): MailTransport {
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
      const id = `${at.replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}`;
      await writeMail(folder, seal, { id, ...toStored(mail, { at, from }) });
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
 * Returns the mails of a folder, newest first; none when there is no such folder. A file that is damaged, or sealed with
 * other keys, is left out and reported to `onDamaged`, which by default emits a warning of the process.
 */
export async function readStoredMails(
  folder: string,
  seal: MailSeal,
  onDamaged: (path: string) => void = (path) => process.emitWarning(`The mail ${path} is damaged.`),
): Promise<StoredMail[]> {
  const mails: StoredMail[] = [];
  for (const { id, path, text } of await readFiles(folder)) {
    const mail = parseMail(text, { id, seal });
    if (mail) mails.push({ id, ...mail });
    else onDamaged(path);
  }
  return mails;
}

/** Seals the mails that an older version has stored as they are, and returns how many. */
export async function sealStoredMails(folder: string, seal: MailSeal): Promise<number> {
  let sealed = 0;
  for (const { id, text } of await readFiles(folder)) {
    const plain = parseJson(text, plainMail);
    if (!plain) continue;
    await writeMail(folder, seal, { id, ...plain });
    sealed += 1;
  }
  return sealed;
}

/** Returns the files of mails, newest first. */
async function readFiles(folder: string): Promise<{ id: string; path: string; text: string }[]> {
  const files: { id: string; path: string; text: string }[] = [];
  for (const name of (await listNames(folder)).filter((name) => name.endsWith('.json')).reverse()) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      // It was deleted meanwhile, to make room for a newer one.
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text !== null) files.push({ id: name.replace(/\.json$/, ''), path, text });
  }
  return files;
}

export async function deleteStoredMail(folder: string, id: string): Promise<void> {
  const name = `${id}.json`;
  if (FILE_NAME.test(name)) await rm(join(folder, name), { force: true });
}

function parseMail(
  text: string,
  { id, seal }: { id: string; seal: MailSeal },
): z.infer<typeof plainMail> | undefined {
  const file = parseJson(text, sealedMail);
  if (!file) return parseJson(text, plainMail);
  const { sealed, ...rest } = file;
  try {
    return { ...rest, ...content.parse(JSON.parse(seal.unseal(sealed, id))) };
  } catch {
    return undefined;
  }
}

function parseJson<T>(text: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function writeMail(
  folder: string,
  seal: MailSeal,
  { id, subject, html, text, ...rest }: StoredMail,
): Promise<void> {
  const sealed = seal.seal(JSON.stringify({ subject, html, text }), id);
  return writeWhole(join(folder, `${id}.json`), JSON.stringify({ ...rest, sealed }, null, 2));
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
