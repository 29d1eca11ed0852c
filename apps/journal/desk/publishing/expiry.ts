import { allOf, anyOf, equals, type Filter, writeAndPublish } from '@fabrica/backend';
import type { DeskContext } from '../desk-context.ts';
import { MAX_PREVIEW_DAYS } from '../previews.ts';
import { deskReader } from '../queries.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A post that was discarded before it was ever published can be taken back for so long. */
const BIN_MS = 30 * DAY_MS;

/** Deletes the discarded posts that nobody has taken back, and the preview links that have expired. */
export async function deleteExpired({
  project,
  plans,
  bus,
  now,
}: Pick<DeskContext, 'project' | 'plans' | 'bus' | 'now'>): Promise<void> {
  const before = now() - BIN_MS;
  const discarded = await deskReader(project.database)
    .selectFrom('post_drafts')
    .select('id')
    .where('discarded_at', '<', before)
    .execute();
  for (const { id } of discarded) {
    const stillDiscarded = allOf(equals('id', id), below('discarded_at', before));
    const plan = await plans.delete('post_drafts', stillDiscarded, { single: false });
    await writeAndPublish(project, bus, { plans: [plan] });
  }
  const oldest = now() - MAX_PREVIEW_DAYS * DAY_MS;
  const expired = await deskReader(project.database)
    .selectFrom('post_previews')
    .select('id')
    .where(({ or, eb }) => or([eb('expires_at', '<', now()), eb('created_at', '<', oldest)]))
    .limit(1)
    .execute();
  if (expired.length === 0) return;
  const ended = anyOf(below('expires_at', now()), below('created_at', oldest));
  const plan = await plans.delete('post_previews', ended, { single: false });
  await writeAndPublish(project, bus, { plans: [plan] });
}

function below(column: string, value: number): Filter {
  return { kind: 'compare', column, operator: 'lt', value };
}
