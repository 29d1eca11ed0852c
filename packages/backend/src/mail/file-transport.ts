import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { MailTransport, OutgoingMail } from './mail-transport.ts';
import { parseSender } from './parse-sender.ts';
import { recipientsOf, requireSendable } from './require-sendable.ts';

/** Mails that stay; the oldest make room. */
const KEPT_MAILS = 500;
/** Of mails and of drafts of mails: sorting by name is sorting by time. */
const FILE_NAME = /^(\d{8}T\d{9}Z-[0-9a-f]{8})\.json(\.draft)?$/;

const keptMail = z.object({
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

/** A mail that nobody sends on: it is there for somebody to read. */
export interface KeptMail {
  /** The name of its file, without the ending. */
  id: string;
  /** ISO 8601. */
  at: string;
  /** With commas between them. */
  to: string;
  from: string;
  subject: string;
  html: string;
  text: string;
  messageId?: string | undefined;
  /** What was attached; the bytes are not kept. */
  attachments?: readonly { filename: string; contentType: string; bytes: number }[] | undefined;
}

export interface FileTransportOptions {
  /** Made when it is missing; only its owner may look in, since mails hold what signs people in. */
  folder: string;
  from: string;
}

/** Keeps mails as files instead of sending them: where no mail server is set up, the operator reads them there. */
export function createFileTransport({ folder, from }: FileTransportOptions): MailTransport {
  parseSender(from);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  let latest = 0;
  return {
    async send(mail) {
      requireSendable(mail);
      // Two mails of one millisecond, or of a clock that was set back, keep their order.
      latest = Math.max(Date.now(), latest + 1);
      const at = new Date(latest).toISOString();
      const name = `${at.replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}.json`;
      await writeAside(join(folder, name), JSON.stringify(toKept(mail, { at, from }), null, 2));
      await removeOldest(folder);
      return [];
    },
    async close() {},
  };
}

function toKept(
  mail: OutgoingMail,
  { at, from: sender }: { at: string; from: string },
): Omit<KeptMail, 'id'> {
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
 * The mails of an outbox, newest first; none when there is no such folder. A file that cannot be understood is left
 * out and named to `nameDamaged` (by default, in a warning of the process).
 */
export async function readOutbox(
  folder: string,
  nameDamaged: (path: string) => void = (path) => process.emitWarning(`The mail ${path} is damaged.`),
): Promise<KeptMail[]> {
  const mails: KeptMail[] = [];
  for (const name of (await listNames(folder)).filter((name) => name.endsWith('.json')).reverse()) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      // It made room for a newer one meanwhile.
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) continue;
    const mail = parseMail(text);
    if (mail) mails.push({ id: name.replace(/\.json$/, ''), ...mail });
    else nameDamaged(path);
  }
  return mails;
}

export async function discardKept(folder: string, id: string): Promise<void> {
  const name = `${id}.json`;
  if (FILE_NAME.test(name)) await rm(join(folder, name), { force: true });
}

function parseMail(text: string): z.infer<typeof keptMail> | undefined {
  try {
    return keptMail.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Under its own name a file is whole, whatever happens on the way. */
async function writeAside(path: string, content: string): Promise<void> {
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

/** Takes drafts along that a crash has left between the mails that go. */
async function removeOldest(folder: string): Promise<void> {
  const names = await listNames(folder);
  const oldestKept = names.filter((name) => name.endsWith('.json')).at(-KEPT_MAILS);
  if (!oldestKept) return;
  for (const name of names.filter((name) => name < oldestKept)) await rm(join(folder, name), { force: true });
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => FILE_NAME.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
