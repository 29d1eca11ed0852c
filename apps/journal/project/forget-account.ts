import type { Kysely } from 'kysely';
import type { Byline } from './document.ts';

interface BylineTables {
  byline_consents: { post_id: string; account_id: string };
  journal_posts: { id: string; byline: string | null };
  post_drafts: { id: string; version: number; people: string; document: string };
  post_revisions: { id: string; post_id: string; document: string };
}

/**
 * Takes the id of an account that is being deleted out of the posts of others that name it, of their working copies and their
 * history. The names stay: they are part of what those posts say. Returns the tables that were written.
 */
// biome-ignore lint/suspicious/noExplicitAny: a transaction of the backend knows no tables
export async function forgetAccount(transaction: Kysely<any>, accountId: string): Promise<string[]> {
  const db: Kysely<BylineTables> = transaction;
  // The consents are written a moment after the posts.
  const named = await Promise.all([
    db.selectFrom('byline_consents').select('post_id as id').where('account_id', '=', accountId).execute(),
    db.selectFrom('post_drafts').select('id').where('people', 'like', `%,${accountId},%`).execute(),
    db.selectFrom('journal_posts').select('id').where('byline', 'like', `%${accountId}%`).execute(),
  ]);
  const posts = new Set(named.flat().map(({ id }) => id));
  for (const id of posts) {
    await untilWritten(() => forgetInPost(db, id, accountId));
    await untilWritten(() => forgetInCopy(db, id, accountId));
    await forgetInHistory(db, id, accountId);
  }
  return posts.size > 0 ? ['journal_posts', 'post_drafts', 'post_revisions'] : [];
}

/** Repeats a write as long as somebody else has written the row between its reading and its writing. */
async function untilWritten(write: () => Promise<boolean>): Promise<void> {
  while (!(await write()));
}

async function forgetInPost(db: Kysely<BylineTables>, id: string, accountId: string): Promise<boolean> {
  const post = await db.selectFrom('journal_posts').select('byline').where('id', '=', id).executeTakeFirst();
  if (!post?.byline) return true;
  const { numUpdatedRows } = await db
    .updateTable('journal_posts')
    .set({ byline: JSON.stringify(withoutId(JSON.parse(post.byline), accountId)) })
    .where('id', '=', id)
    .where('byline', '=', post.byline)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function forgetInCopy(db: Kysely<BylineTables>, id: string, accountId: string): Promise<boolean> {
  const draft = await db.selectFrom('post_drafts').selectAll().where('id', '=', id).executeTakeFirst();
  if (!draft) return true;
  const version = Number(draft.version);
  const { numUpdatedRows } = await db
    .updateTable('post_drafts')
    .set({
      version: version + 1,
      people: draft.people.replace(`,${accountId},`, ',').replace(/^,$/, ''),
      document: withoutIdIn(draft.document, accountId),
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function forgetInHistory(db: Kysely<BylineTables>, postId: string, accountId: string): Promise<void> {
  const revisions = await db
    .selectFrom('post_revisions')
    .select(['id', 'document'])
    .where('post_id', '=', postId)
    .where('document', 'like', `%${accountId}%`)
    .execute();
  for (const { id, document } of revisions) {
    await db
      .updateTable('post_revisions')
      .set({ document: withoutIdIn(document, accountId) })
      .where('id', '=', id)
      .execute();
  }
}

/** A newer version may have written the document: what it has besides the byline stays. */
function withoutIdIn(json: string, accountId: string): string {
  const document = JSON.parse(json) as { byline?: Byline };
  if (!document.byline) return json;
  return JSON.stringify({ ...document, byline: withoutId(document.byline, accountId) });
}

function withoutId(byline: Byline, accountId: string): Byline {
  return byline.map(({ userId, ...person }) =>
    userId === undefined || userId === accountId ? person : { ...person, userId },
  );
}
