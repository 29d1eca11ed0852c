import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Row } from '../../core/bus.ts';
import type { NoticeRule } from '../../core/project.ts';
import type { Database } from '../../database/index.ts';
import type { MailConnection } from '../../mail/index.ts';

/** All SQL of notices. Times are epoch ms. */

interface NoticeTables {
  /** One thing that happened; it stays for a while once it is told, so that it is not told again. */
  notice_items: {
    id: string;
    kind: string;
    about_id: string;
    row_id: string;
    noted_at: number;
    told_at: number | null;
  };
  /** What things happened to: one mail at a time is about it. */
  notice_batches: {
    id: string;
    kind: string;
    about_id: string;
    due_at: number | null;
    mailed_at: number | null;
    claim: string | null;
  };
  /** A blank `about_id`: all of the kind. */
  notice_stops: { user_id: string; kind: string; about_id: string; created_at: number };
  /** Everything of the kind that was made before has been noted. */
  notice_marks: { kind: string; seen_until: number };
}

export type NoticeTransaction = Transaction<NoticeTables> & MailConnection;

function reader(database: Database): Kysely<NoticeTables> {
  return database.reader;
}

export function noticeWriter(database: Database): Kysely<NoticeTables> {
  return database.writer;
}

/** Rows of one mail at most; the next mail has the rest. */
const ITEMS_PER_MAIL = 200;
/** Rows noted in one go. */
export const ROWS_PER_LOOK = 500;

export interface Happening {
  rowId: string;
  aboutId: string;
}

export interface NoteOptions {
  kind: string;
  happenings: readonly Happening[];
  now: number;
  /** When a mail about this may be sent at the earliest, if the last one was sent then. */
  dueAfter(mailedAt: number | null): number;
}

/** Notes what happened, once, and that somebody is to be told. */
export function noteHappenings(database: Database, options: NoteOptions): Promise<void> {
  const { kind, happenings, now, dueAfter } = options;
  const items = happenings.map(({ rowId, aboutId }) => ({
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
      const noted = await transaction
        .insertInto('notice_items')
        .values(items)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('about_id')
        .execute();
      for (const aboutId of new Set(noted.map(({ about_id }) => about_id))) {
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

/** Rows that were made since then, some at a time. */
export async function* rowsSince(
  database: Database,
  { table, column }: NoticeRule,
  since: number,
): AsyncGenerator<Happening[]> {
  let last = { at: since, id: '' };
  for (;;) {
    const { rows } = await sql<{ id: string; about: string; at: number }>`
      select id, ${sql.ref(column)} as about, created_at as at from ${sql.table(table)}
      where created_at >= ${last.at} and (created_at > ${last.at} or id > ${last.id})
      order by created_at, id limit ${ROWS_PER_LOOK}`.execute(database.reader);
    const end = rows.at(-1);
    if (!end) return;
    yield rows.map(({ id, about }) => ({ rowId: id, aboutId: about }));
    last = { at: Number(end.at), id: end.id };
  }
}

/** Undefined where nothing of the kind was ever looked at. */
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

/** What somebody is to be told of now; null when nothing is due, with the time when that changes. */
export async function nextDue(database: Database): Promise<number | undefined> {
  const row = await reader(database)
    .selectFrom('notice_batches')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? undefined;
}

/** Takes one notice that is due, until the lease is over; undefined when there is none. */
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

/** Ids of the rows that are still to be told of, the oldest first. */
export async function untoldRows(database: Database, { kind, about_id }: DueNotice): Promise<string[]> {
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

export interface Told {
  rowIds: readonly string[];
  now: number;
  /** Whether a mail was sent, and when the next one may be. */
  mailed: boolean;
  nextAt: number;
}

/** Throws when another process has taken the notice meanwhile: then it is that one's to tell. */
export async function settleNotice(
  transaction: Transaction<NoticeTables>,
  { id, claim, kind, about_id }: DueNotice,
  { rowIds, now, mailed, nextAt }: Told,
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
  if (numUpdatedRows === 0n) throw new Error('Another process tells of this.');
}

/** Of what is gone, nothing is left to be told. */
export async function dropNotice(database: Database, { id, kind, about_id }: DueNotice): Promise<void> {
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

/** A clock that was wrong when notices were put off must not keep them longer than this. */
export async function bringForward(
  database: Database,
  { now, latest }: { now: number; latest: number },
): Promise<void> {
  await noticeWriter(database)
    .updateTable('notice_batches')
    .set({ due_at: now })
    .where('due_at', '>', latest)
    .execute();
}

export async function forgetTold(database: Database, before: number): Promise<void> {
  await noticeWriter(database).deleteFrom('notice_items').where('told_at', '<', before).execute();
}

/** Kinds that this account wants none of, and whether it wants none about this one thing. */
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

/** Answers false when there is no such account any more. */
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

/** All of the kind, those about single things as well. */
export async function resumeNotices(database: Database, userId: string, kind: string): Promise<void> {
  await noticeWriter(database)
    .deleteFrom('notice_stops')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .execute();
}
