import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Row } from '../../core/bus.ts';
import type { NoticeRule } from '../../core/project.ts';
import type { Database } from '../../database/index.ts';
import type { MailConnection } from '../../mail/index.ts';

/** All SQL of notices. Times are epoch ms. */

interface NoticeTables {
  /** A new row to notify about. It stays for a while after it was sent, so that it is not sent twice. */
  notice_items: {
    id: string;
    kind: string;
    about_id: string;
    row_id: string;
    noted_at: number;
    told_at: number | null;
  };
  /** The row that new rows refer to; there is one mail at a time about it. */
  notice_batches: {
    id: string;
    kind: string;
    about_id: string;
    due_at: number | null;
    mailed_at: number | null;
    claim: string | null;
  };
  /** A blank `about_id` stops all notices of the kind. */
  notice_stops: { user_id: string; kind: string; about_id: string; created_at: number };
  /** All rows of the kind that were created before `seen_until` have been recorded. */
  notice_marks: { kind: string; seen_until: number };
}

export type NoticeTransaction = Transaction<NoticeTables> & MailConnection;

function reader(database: Database): Kysely<NoticeTables> {
  return database.reader;
}

export function noticeWriter(database: Database): Kysely<NoticeTables> {
  return database.writer;
}

/** New rows of one mail at most; the next mail has the rest. */
const ITEMS_PER_MAIL = 200;
/** Rows that are read or recorded at once. */
export const ROWS_PER_READ = 500;

/** A new row to notify about. */
export interface NoticeItem {
  rowId: string;
  /** The row that it refers to. */
  aboutId: string;
}

interface RecordItemsOptions {
  kind: string;
  items: readonly NoticeItem[];
  now: number;
  /** Returns when the next mail may be sent, given the time of the last one. */
  dueAfter(mailedAt: number | null): number;
}

/** Records new rows, each once, and schedules the mails about them. */
export function recordItems(
  database: Database,
  { kind, items, now, dueAfter }: RecordItemsOptions,
): Promise<void> {
  const rows = items.map(({ rowId, aboutId }) => ({
    id: `${kind}/${rowId}`,
    kind,
    about_id: aboutId,
    row_id: rowId,
    noted_at: now,
    told_at: null,
  }));
  return noticeWriter(database)
    .transaction()
    .execute(async (transaction) => {
      const recorded = await transaction
        .insertInto('notice_items')
        .values(rows)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('about_id')
        .execute();
      for (const aboutId of new Set(recorded.map(({ about_id }) => about_id))) {
        const id = `${kind}/${aboutId}`;
        const known = await transaction
          .selectFrom('notice_batches')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst();
        const due = { due_at: dueAfter(known?.mailed_at ?? null) };
        if (!known) {
          await transaction
            .insertInto('notice_batches')
            .values({ id, kind, about_id: aboutId, mailed_at: null, claim: null, ...due })
            .execute();
        } else if (known.due_at === null) {
          await transaction.updateTable('notice_batches').set(due).where('id', '=', id).execute();
        }
      }
    });
}

/** Reads the rows that were created since a time, in batches. */
export async function* readItemsSince(
  database: Database,
  { table, column }: NoticeRule,
  since: number,
): AsyncGenerator<NoticeItem[]> {
  let last = { at: since, id: '' };
  for (;;) {
    const { rows } = await sql<{ id: string; about: string; at: number }>`
      select id, ${sql.ref(column)} as about, created_at as at from ${sql.table(table)}
      where created_at >= ${last.at} and (created_at > ${last.at} or id > ${last.id})
      order by created_at, id limit ${ROWS_PER_READ}`.execute(database.reader);
    const end = rows.at(-1);
    if (!end) return;
    yield rows.map(({ id, about }) => ({ rowId: id, aboutId: about }));
    last = { at: Number(end.at), id: end.id };
  }
}

/** Returns undefined when rows of the kind have never been read. */
export async function readMark(database: Database, kind: string): Promise<number | undefined> {
  const row = await reader(database)
    .selectFrom('notice_marks')
    .select('seen_until')
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.seen_until;
}

export async function writeMark(database: Database, kind: string, seenUntil: number): Promise<void> {
  await noticeWriter(database)
    .insertInto('notice_marks')
    .values({ kind, seen_until: seenUntil })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ seen_until: seenUntil }))
    .execute();
}

export interface DueNotice {
  id: string;
  kind: string;
  about_id: string;
  claim: string;
}

/** Returns when the next notice is due; undefined when none is scheduled. */
export async function nextDueAt(database: Database): Promise<number | undefined> {
  const row = await reader(database)
    .selectFrom('notice_batches')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? undefined;
}

/** Claims a notice that is due, until the lease is over; returns undefined when none is. */
export function claimNotice(
  database: Database,
  { now, leaseUntil }: { now: number; leaseUntil: number },
): Promise<DueNotice | undefined> {
  const claim = randomUUID();
  return noticeWriter(database)
    .transaction()
    .execute(async (transaction) => {
      const due = await transaction
        .selectFrom('notice_batches')
        .select('id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst();
      if (!due) return undefined;
      const taken = await transaction
        .updateTable('notice_batches')
        .set({ claim, due_at: leaseUntil })
        .where('id', '=', due.id)
        .where('due_at', '<=', now)
        .returning(['id', 'kind', 'about_id'])
        .executeTakeFirst();
      return taken && { ...taken, claim };
    });
}

/** Returns the ids of the rows that were not sent yet, oldest first. */
export async function readUnsentRowIds(database: Database, { kind, about_id }: DueNotice): Promise<string[]> {
  const rows = await reader(database)
    .selectFrom('notice_items')
    .select('row_id')
    .where('kind', '=', kind)
    .where('about_id', '=', about_id)
    .where('told_at', 'is', null)
    .orderBy('noted_at')
    .orderBy('id')
    .limit(ITEMS_PER_MAIL)
    .execute();
  return rows.map(({ row_id }) => row_id);
}

export async function findRows(database: Database, table: string, ids: readonly string[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where id in (${sql.join(ids)}) order by id`.execute(database.reader);
  return rows;
}

interface NoticeOutcome {
  rowIds: readonly string[];
  now: number;
  /** True when a mail is sent. */
  mailed: boolean;
  /** Tells when the next mail may be sent. */
  nextAt: number;
}

/** Marks the rows as sent and schedules the next mail. Throws when another process has claimed the notice meanwhile. */
export async function settleNotice(
  transaction: Transaction<NoticeTables>,
  { id, claim, kind, about_id }: DueNotice,
  { rowIds, now, mailed, nextAt }: NoticeOutcome,
): Promise<void> {
  if (rowIds.length > 0) {
    const ids = rowIds.map((rowId) => `${kind}/${rowId}`);
    await transaction.updateTable('notice_items').set({ told_at: now }).where('id', 'in', ids).execute();
  }
  const more = await transaction
    .selectFrom('notice_items')
    .select('id')
    .where('kind', '=', kind)
    .where('about_id', '=', about_id)
    .where('told_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  const { numUpdatedRows } = await transaction
    .updateTable('notice_batches')
    .set({ claim: null, due_at: more ? nextAt : null, ...(mailed && { mailed_at: now }) })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error('Another process has claimed this notice.');
}

/** Deletes a notice and its items, because the row that it is about was deleted. */
export async function deleteNotice(database: Database, { id, kind, about_id }: DueNotice): Promise<void> {
  await noticeWriter(database)
    .transaction()
    .execute(async (transaction) => {
      await transaction
        .deleteFrom('notice_items')
        .where('kind', '=', kind)
        .where('about_id', '=', about_id)
        .execute();
      await transaction.deleteFrom('notice_batches').where('id', '=', id).execute();
    });
}

/** Makes notices due that are scheduled too far ahead: the clock was wrong when they were scheduled. */
export async function rescheduleFarNotices(
  database: Database,
  { now, latest }: { now: number; latest: number },
): Promise<void> {
  await noticeWriter(database)
    .updateTable('notice_batches')
    .set({ due_at: now })
    .where('due_at', '>', latest)
    .execute();
}

export async function deleteSentItems(database: Database, before: number): Promise<void> {
  await noticeWriter(database).deleteFrom('notice_items').where('told_at', '<', before).execute();
}

/** Returns whether the user stopped all notices of the kind, or those about this row. */
export async function isStopped(
  database: Database,
  { userId, kind, aboutId }: { userId: string; kind: string; aboutId: string },
): Promise<boolean> {
  const row = await reader(database)
    .selectFrom('notice_stops')
    .select('kind')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('about_id', 'in', ['', aboutId])
    .executeTakeFirst();
  return row !== undefined;
}

export async function stoppedKinds(database: Database, userId: string): Promise<string[]> {
  const rows = await reader(database)
    .selectFrom('notice_stops')
    .select('kind')
    .where('user_id', '=', userId)
    .where('about_id', '=', '')
    .execute();
  return rows.map(({ kind }) => kind);
}

/** Returns false when the account does not exist any more. */
export async function stopNotices(
  database: Database,
  { userId, kind, aboutId, now }: { userId: string; kind: string; aboutId: string; now: number },
): Promise<boolean> {
  const writer: Kysely<NoticeTables & { users: { id: string } }> = database.writer;
  return writer.transaction().execute(async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!user) return false;
    await transaction
      .insertInto('notice_stops')
      .values({ user_id: userId, kind, about_id: aboutId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  });
}

/** Turns all notices of the kind on again, also those about single rows. */
export async function resumeNotices(database: Database, userId: string, kind: string): Promise<void> {
  await noticeWriter(database)
    .deleteFrom('notice_stops')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .execute();
}
