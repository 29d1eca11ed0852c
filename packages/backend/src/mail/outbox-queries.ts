import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/index.ts';
import type { MailAttachment, OutgoingMail } from './mail-transport.ts';
import { recipientsOf, requireSendable } from './require-sendable.ts';

/** Milliseconds that a mail is tried for, unless it is of use for a shorter time; one that the operator sends again has as long as a new one. */
export const TRIED_MS = 3 * 24 * 60 * 60 * 1000;

/** All SQL of the outbox. Times are epoch ms. */

export type MailState = 'waiting' | 'sent' | 'failed';

export interface OutboxRow {
  /** Sorts by time. */
  id: string;
  created_at: number;
  /** What it is about: `magic-link`, `email`, … */
  kind: string;
  /** The account that it is for; it goes with that one. */
  user_id: string | null;
  /** For eyes: all recipients, with commas between them. */
  to_address: string;
  /** JSON: the addresses that have not got it yet. */
  recipients: string;
  /** JSON of an OutgoingMail without its attachments; null once it is sent. */
  message: string | null;
  message_id: string;
  /** Bytes, roughly, with the attachments. */
  size: number;
  state: MailState;
  tries: number;
  /** Of one that is being sent, the end of that sender's lease. */
  next_try_at: number;
  /** After this, nobody has any use for it. */
  give_up_at: number;
  /** Of whoever sends it now. */
  claim: string | null;
  /** What went wrong, without a word of the mail. */
  last_error: string | null;
  /** When it was sent, or failed for good. */
  ended_at: number | null;
}

interface AttachmentRow {
  id: string;
  mail_id: string;
  position: number;
  filename: string;
  content_type: string;
  disposition: MailAttachment['disposition'];
  cid: string | null;
  content: string;
}

export interface MailTables {
  outbox: OutboxRow;
  outbox_attachments: AttachmentRow;
}

export type MailConnection = Kysely<MailTables> | Transaction<MailTables>;

export function mailReader(database: Database): Kysely<MailTables> {
  return database.reader;
}

export function mailWriter(database: Database): Kysely<MailTables> {
  return database.writer;
}

export interface NewMail {
  kind: string;
  mail: OutgoingMail;
  userId?: string | null | undefined;
  /** Behind the @ of its id: that of the sender. */
  domain: string;
  giveUpAt: number;
  now: number;
}

/** Puts a mail into the outbox; answers its Message-ID. Throws when it is one that cannot be sent at all. */
export async function putMail(
  connection: MailConnection,
  { kind, mail, userId = null, domain, giveUpAt, now }: NewMail,
): Promise<string> {
  requireSendable(mail);
  const { attachments = [], ...message } = mail;
  const recipients = recipientsOf(mail);
  const text = JSON.stringify(message);
  const id = `mail_${now}_${randomUUID()}`;
  const messageId = `<${randomUUID()}@${domain}>`;
  await connection
    .insertInto('outbox')
    .values({
      id,
      created_at: now,
      kind,
      user_id: userId,
      to_address: recipients.join(', '),
      recipients: JSON.stringify(recipients),
      message: text,
      message_id: messageId,
      size: attachments.reduce((sum, { content }) => sum + content.length, text.length),
      state: 'waiting',
      tries: 0,
      next_try_at: now,
      give_up_at: giveUpAt,
      claim: null,
      last_error: null,
      ended_at: null,
    })
    .execute();
  for (const [position, { contentType, ...attachment }] of attachments.entries()) {
    await connection
      .insertInto('outbox_attachments')
      .values({ ...attachment, id: `${id}/${position}`, mail_id: id, position, content_type: contentType })
      .execute();
  }
  return messageId;
}

/** How much waits. */
export async function weighWaiting(database: Database): Promise<{ mails: number; bytes: number }> {
  const found = await mailReader(database)
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll().as('mails'), fn.sum('size').as('bytes')])
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return { mails: Number(found?.mails ?? 0), bytes: Number(found?.bytes ?? 0) };
}

/** When the next mail is to be looked at; undefined when none waits. */
export async function nextTryAt(database: Database): Promise<number | undefined> {
  const row = await mailReader(database)
    .selectFrom('outbox')
    .select('next_try_at')
    .where('state', '=', 'waiting')
    .orderBy('next_try_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_try_at;
}

export interface ClaimOptions {
  now: number;
  limit: number;
  /** Until when nobody else sends them. */
  leaseUntil: number;
}

export type ClaimedMail = OutboxRow & { claim: string; message: string };

/** Takes mails that are due, the longest overdue first, for one sender alone. */
export function claimDue(
  database: Database,
  { now, limit, leaseUntil }: ClaimOptions,
): Promise<ClaimedMail[]> {
  const claim = randomUUID();
  return mailWriter(database)
    .transaction()
    .execute(async (transaction) => {
      const due = await transaction
        .selectFrom('outbox')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_try_at', '<=', now)
        .orderBy('next_try_at')
        .limit(limit)
        .execute();
      if (due.length === 0) return [];
      const rows = await transaction
        .updateTable('outbox')
        .set(({ eb }) => ({ claim, tries: eb('tries', '+', 1), next_try_at: leaseUntil }))
        .where(
          'id',
          'in',
          due.map(({ id }) => id),
        )
        .where('state', '=', 'waiting')
        .where('next_try_at', '<=', now)
        .returningAll()
        .execute();
      return rows as ClaimedMail[];
    });
}

export async function readAttachments(connection: MailConnection, mailId: string): Promise<MailAttachment[]> {
  const rows = await connection
    .selectFrom('outbox_attachments')
    .selectAll()
    .where('mail_id', '=', mailId)
    .orderBy('position')
    .execute();
  return rows.map(({ filename, content_type: contentType, disposition, cid, content }) => {
    return { filename, contentType, disposition, cid, content };
  });
}

type Held = Pick<ClaimedMail, 'id' | 'claim'>;

/** Does nothing to a mail that another sender has taken meanwhile, and answers false. */
export async function updateHeld(
  connection: MailConnection,
  { id, claim }: Held,
  changes: Partial<OutboxRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable('outbox')
    .set(changes)
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What it said is forgotten at once. */
export function settleSent(database: Database, held: Held, changes: Partial<OutboxRow>): Promise<void> {
  return mailWriter(database)
    .transaction()
    .execute(async (transaction) => {
      const sent = { ...changes, state: 'sent', message: null, claim: null } as const;
      // Whoever has it now still sends what is attached.
      if (!(await updateHeld(transaction, held, sent))) return;
      await transaction.deleteFrom('outbox_attachments').where('mail_id', '=', held.id).execute();
    });
}

/** A clock that was wrong when mails were put off must not keep them longer than this. */
export async function bringForward(
  database: Database,
  { now, latest }: { now: number; latest: number },
): Promise<void> {
  await mailWriter(database)
    .updateTable('outbox')
    .set({ next_try_at: now })
    .where('state', '=', 'waiting')
    .where('next_try_at', '>', latest)
    .execute();
}

/** Forgets what ended before these times, and of what failed all but so many bytes of the newest. */
export async function forgetEnded(
  database: Database,
  { maxFailedBytes, ...before }: { sent: number; failed: number; maxFailedBytes: number },
): Promise<void> {
  await sql`
    delete from outbox where id in (
      select id from (
        select id, sum(size) over (order by ended_at desc, id desc) as bytes from outbox where state = 'failed'
      ) as failed where bytes > ${maxFailedBytes})`.execute(mailWriter(database));
  for (const state of ['sent', 'failed'] as const) {
    await mailWriter(database)
      .deleteFrom('outbox')
      .where('state', '=', state)
      .where('ended_at', '<', before[state])
      .execute();
  }
}

/** The newest first. */
export function listMails(database: Database, states: readonly MailState[]): Promise<OutboxRow[]> {
  return mailReader(database)
    .selectFrom('outbox')
    .selectAll()
    .where('state', 'in', states)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(10_000)
    .execute();
}

/** Has mails sent again that failed or wait; answers how many. Those that are on their way are left alone. */
export async function retryMails(database: Database, ids: readonly string[], now: number): Promise<number> {
  const giveUpAt = now + TRIED_MS;
  const { numUpdatedRows } = await mailWriter(database)
    .updateTable('outbox')
    .set({ state: 'waiting', next_try_at: now, give_up_at: giveUpAt, tries: 0, claim: null, ended_at: null })
    .where('id', 'in', ids)
    .where('state', 'in', ['waiting', 'failed'])
    .where((row) => row.or([row('claim', 'is', null), row('next_try_at', '<=', now)]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Takes mails out of the outbox for good, whatever has become of them; answers how many. */
export async function discardMails(database: Database, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await mailWriter(database)
    .deleteFrom('outbox')
    .where('id', 'in', ids)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
