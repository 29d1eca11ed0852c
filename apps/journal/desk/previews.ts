import { createHash, randomBytes } from 'node:crypto';
import { AppError, equals, writeAndPublish } from '@fabrica/backend';
import { toCamelCase } from '@fabrica/contract';
import type { DeskContext, PostRequest } from './desk-context.ts';
import { columnsOfDocument } from './post-columns.ts';
import { deskReader } from './queries.ts';
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
  return { url: `${desk.publicUrl}/preview/${token}`, expiresAt };
}

/** Makes all links to a post useless. */
export async function withdrawPreviews(request: PostRequest): Promise<void> {
  const { desk } = request;
  const { id } = await openPost(request);
  const plan = await desk.plans.delete('post_previews', equals('post_id', id), { single: false });
  await writeAndPublish(desk.project, desk.bus, { plans: [plan] });
}

/** Returns the working copy that a link leads to, with the columns of a post. Throws NOT_FOUND. */
export async function readPreview(desk: DeskContext, token: string) {
  const row = await deskReader(desk.project.database)
    .selectFrom('post_previews')
    .selectAll()
    .where('id', '=', hashOf(token))
    .where('expires_at', '>', desk.now())
    .executeTakeFirst();
  const opened = row && (await readPost(desk, row.post_id));
  if (!opened || opened.draft?.discarded_at != null) {
    throw new AppError('NOT_FOUND', 'This link has expired or was withdrawn.');
  }
  const { draft, post, document } = opened;
  const columns = Object.entries(columnsOfDocument(document)).map(([name, value]) => [
    toCamelCase(name),
    value,
  ]);
  return {
    post: {
      ...Object.fromEntries(columns),
      id: row.post_id,
      userId: post?.user_id ?? draft?.user_id ?? '',
      createdAt: post?.created_at ?? desk.now(),
      updatedAt: draft?.updated_at ?? desk.now(),
      published: 0,
    },
    expiresAt: row.expires_at,
  };
}

/** A token has 192 random bits, which need no slow hash. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
