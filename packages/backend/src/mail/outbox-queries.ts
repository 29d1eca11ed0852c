import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/index.ts';
import { isSealed, type MailSeal } from './mail-seal.ts';
import type { MailAttachment, OutgoingMail } from './mail-transport.ts';
import { recipientsOf, requireSendable } from './require-sendable.ts';

/** Milliseconds for which a mail is tried at most. A mail that the operator retries gets the whole time again. */
export const MAX_DELIVERY_MS = 3 * 24 * 60 * 60 * 1000;

/** All SQL of the outbox. Times are epoch ms. */

export type MailState = 'waiting' | 'sent' | 'failed';

export interface OutboxRow {
  /** Ids sort by time. */
  id: string;
  created_at: number;
  /** `magic-link`, `email`, … */
  kind: string;
  /** The account that the mail is for; the row is deleted with it. */
  user_id: string | null;
  /** All recipients, separated by commas, for display. */
  to_address: string;
  /** JSON list of the recipients that have not got the mail yet. */
  recipients: string;
  /** JSON of an `OutgoingMail` without attachments, sealed; null once it is sent. */
  message: string | null;
  message_id: string;
  /** Bytes including attachments, roughly. */
  size: number;
  state: MailState;
  tries: number;
  /** While the mail is being sent, the end of the lease. */
  next_try_at: number;
  /** The time after which the mail is of no use. */
  give_up_at: number;
  /** Names the try that is sending the mail; null when none is. */
  claim: string | null;
  /** The last error, without content of the mail. */
  last_error: string | null;
  /** Tells when the mail was sent, or failed permanently. */
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
  /** Base64, sealed. */
  content: string;
}

interface MailTables {
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

interface NewMail {
  kind: string;
  mail: OutgoingMail;
  userId?: string | null | undefined;
  /** The sender's domain, for the Message-ID. */
  domain: string;
  giveUpAt: number;
  now: number;
  seal: MailSeal;
}

/** Inserts a mail into the outbox and returns its Message-ID. Throws for a mail that cannot be sent at all. */
export async function insertMail(
  connection: MailConnection,
  { kind, mail, userId = null, domain, giveUpAt, now, seal }: NewMail,
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
      message: seal.seal(text, id),
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
  for (const [position, { contentType, content, ...attachment }] of attachments.entries()) {
    await connection
      .insertInto('outbox_attachments')
      .values({
        ...attachment,
        id: `${id}/${position}`,
        mail_id: id,
        position,
        content_type: contentType,
        content: seal.seal(content, id),
      })
      .execute();
  }
  return messageId;
}

/** Counts the waiting mails and their bytes. */
export async function countWaiting(database: Database): Promise<{ mails: number; bytes: number }> {
  const found = await mailReader(database)
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll().as('mails'), fn.sum('size').as('bytes')])
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return { mails: Number(found?.mails ?? 0), bytes: Number(found?.bytes ?? 0) };
}

/** Returns the number of mails in each state. */
export async function countByState(database: Database): Promise<ReadonlyMap<MailState, number>> {
  const rows = await mailReader(database)
    .selectFrom('outbox')
    .select(({ fn }) => ['state', fn.countAll<number>().as('mails')])
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, mails }) => [state, Number(mails)]));
}

/** Returns when the next mail is due; undefined when none waits. */
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

interface ClaimOptions {
  now: number;
  limit: number;
  /** The time until which no other process sends these mails. */
  leaseUntil: number;
}

export type ClaimedMail = OutboxRow & { claim: string; message: string };

/** Claims mails that are due, the longest overdue first. */
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

export async function readAttachments(
  connection: MailConnection,
  mailId: string,
  seal: MailSeal,
): Promise<MailAttachment[]> {
  const rows = await connection
    .selectFrom('outbox_attachments')
    .selectAll()
    .where('mail_id', '=', mailId)
    .orderBy('position')
    .execute();
  return rows.map(({ filename, content_type: contentType, disposition, cid, content }) => {
    return { filename, contentType, disposition, cid, content: seal.unseal(content, mailId) };
  });
}

type Claim = Pick<ClaimedMail, 'id' | 'claim'>;

/** Updates a claimed mail. Returns false, without an update, when another process has claimed it meanwhile. */
export async function updateClaimed(
  connection: MailConnection,
  { id, claim }: Claim,
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

/** Returns the content of a mail that was not sent. */
export function readMessage(
  { id, message }: Pick<ClaimedMail, 'id' | 'message'>,
  seal: MailSeal,
): OutgoingMail {
  return JSON.parse(seal.unseal(message, id)) as OutgoingMail;
}

/** Seals the mails that an older version has stored as they are, and returns how many. */
export async function sealOldMails(database: Database, seal: MailSeal): Promise<number> {
  const messages = await mailReader(database).selectFrom('outbox').select(['id', 'message']).execute();
  const plain = messages.filter(({ message }) => message !== null && !isSealed(message));
  for (const { id, message } of plain) {
    await mailWriter(database)
      .transaction()
      .execute(async (transaction) => {
        await transaction
          .updateTable('outbox')
          .set({ message: seal.seal(message ?? '', id) })
          .where('id', '=', id)
          .where('message', '=', message)
          .execute();
        const attachments = transaction.selectFrom('outbox_attachments').select(['id', 'content']);
        for (const attachment of await attachments.where('mail_id', '=', id).execute()) {
          if (isSealed(attachment.content)) continue;
          await transaction
            .updateTable('outbox_attachments')
            .set({ content: seal.seal(attachment.content, id) })
            .where('id', '=', attachment.id)
            .execute();
        }
      });
  }
  return plain.length;
}

/** Marks a mail as sent and deletes its content. */
export function markSent(database: Database, mail: Claim, changes: Partial<OutboxRow>): Promise<void> {
  return mailWriter(database)
    .transaction()
    .execute(async (transaction) => {
      const sent = { ...changes, state: 'sent', message: null, claim: null } as const;
      // The process that has claimed the mail meanwhile still needs the attachments.
      if (!(await updateClaimed(transaction, mail, sent))) return;
      await transaction.deleteFrom('outbox_attachments').where('mail_id', '=', mail.id).execute();
    });
}

/** Makes mails due whose next try is too far ahead: the clock was wrong when they were scheduled. */
export async function rescheduleFarMails(
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

/** Deletes mails that ended before these times, and the oldest failed mails above `maxFailedBytes`. */
export async function deleteEnded(
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

/** Returns the newest mails first. */
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

/** Makes failed and waiting mails due, and returns how many. Mails that are being sent are left alone. */
export async function retryMails(database: Database, ids: readonly string[], now: number): Promise<number> {
  const giveUpAt = now + MAX_DELIVERY_MS;
  const { numUpdatedRows } = await mailWriter(database)
    .updateTable('outbox')
    .set({ state: 'waiting', next_try_at: now, give_up_at: giveUpAt, tries: 0, claim: null, ended_at: null })
    .where('id', 'in', ids)
    .where('state', 'in', ['waiting', 'failed'])
    .where((row) => row.or([row('claim', 'is', null), row('next_try_at', '<=', now)]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes mails in any state, and returns how many. */
export async function deleteMails(database: Database, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await mailWriter(database)
    .deleteFrom('outbox')
    .where('id', 'in', ids)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
