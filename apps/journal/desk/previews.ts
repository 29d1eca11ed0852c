import { createHash, randomBytes } from 'node:crypto';
import { AppError, allOf, equals, publicName, writeAndPublish } from '@fabrica/backend';
import { toCamelCase } from '@fabrica/contract';
import { presentAccess } from './access.ts';
import type { DeskContext, PostRequest } from './desk-context.ts';
import { columnsOfDocument } from './post-columns.ts';
import { deskReader, findNames } from './queries.ts';
import { quotaOf } from './rows-quota.ts';
import { ensureCopy, openPost, readPost } from './working-copy.ts';
import { newId } from './write-copy.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A link to send around is used within days. */
export const PREVIEW_DAYS = 7;
export const MAX_PREVIEW_DAYS = 30;

/** Makes a secret link to the working copy as readers will see it, for people without an account. */
export async function createPreview(request: PostRequest, days: number) {
  const { desk, caller } = request;
  const opened = await openPost(request);
  const token = randomBytes(24).toString('base64url');
  const now = desk.now();
  const expiresAt = now + days * DAY_MS;
  const row = {
    id: hashOf(token),
    post_id: opened.id,
    user_id: caller.id,
    created_at: now,
    expires_at: expiresAt,
  };
  const { plans } = await ensureCopy(desk, opened, newId('revision', now));
  await writeAndPublish(desk.project, desk.bus, {
    plans: [...plans, desk.plans.create('post_previews', row)],
    quota: quotaOf(desk, caller.id),
  });
  return { id: row.id, url: `${desk.publicUrl}/preview/${token}`, expiresAt };
}

/** Lists the links to a post, the last one first, with the accounts that have given them. Their tokens are not known. */
export async function listPreviews(request: PostRequest) {
  const { desk } = request;
  const { database } = desk.project;
  const { id, userId, document } = await openPost(request);
  const rows = await unexpired(desk).where('post_id', '=', id).orderBy('created_at', 'desc').execute();
  const givers = [...new Set(rows.map(({ user_id }) => user_id))];
  const names = await findNames(database, givers);
  const accesses = await Promise.all(
    givers.map((giver) => presentAccess(database, giver, { userId, byline: document.byline })),
  );
  const previews = rows.map((row) => ({
    id: row.id,
    by: { id: row.user_id, name: publicName(names.get(row.user_id) ?? null) },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    /** Whether it leads to the post: whoever gave it may still edit that. */
    works: accesses[givers.indexOf(row.user_id)]?.edit === true,
  }));
  return { previews };
}

/** Makes one link to a post useless, or all of them. */
export async function withdrawPreviews(request: PostRequest, linkId?: string): Promise<void> {
  const { desk } = request;
  const { id } = await openPost(request);
  const links = allOf(equals('post_id', id), ...(linkId === undefined ? [] : [equals('id', linkId)]));
  const plan = await desk.plans.delete('post_previews', links, { single: false });
  await writeAndPublish(desk.project, desk.bus, { plans: [plan] });
}

/** Selects the links that have not expired. None lasts longer than 30 days, whatever its row says. */
function unexpired({ project, now }: DeskContext) {
  return deskReader(project.database)
    .selectFrom('post_previews')
    .selectAll()
    .where('expires_at', '>', now())
    .where('created_at', '>', now() - MAX_PREVIEW_DAYS * DAY_MS);
}

/**
 * Returns the working copy that a link leads to, with the columns of a post. Throws NOT_FOUND, also when the account that gave
 * the link is disabled or may not edit the post any more.
 */
export async function readPreview(desk: DeskContext, token: string) {
  const row = await unexpired(desk).where('id', '=', hashOf(token)).executeTakeFirst();
  const opened = row && (await readPost(desk, row.post_id));
  if (!opened || opened.draft?.discarded_at != null) throw deadLink();
  const { draft, post, document } = opened;
  const userId = post?.user_id ?? draft?.user_id ?? '';
  const { byline } = document;
  const access = await presentAccess(desk.project.database, row.user_id, { userId, byline });
  if (!access.edit) throw deadLink();
  const columns = Object.entries(columnsOfDocument(document)).map(([name, value]) => [
    toCamelCase(name),
    value,
  ]);
  return {
    post: {
      ...Object.fromEntries(columns),
      id: row.post_id,
      userId,
      createdAt: post?.created_at ?? desk.now(),
      updatedAt: draft?.updated_at ?? desk.now(),
      published: 0,
    },
    expiresAt: row.expires_at,
  };
}

const deadLink = () => new AppError('NOT_FOUND', 'This link has expired or was withdrawn.');

/** A token has 192 random bits, which need no slow hash. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
