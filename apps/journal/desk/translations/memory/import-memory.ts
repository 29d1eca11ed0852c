import type { DeskContext } from '../../desk-context.ts';
import { type QuotaContext, quotaOf } from '../../rows-quota.ts';
import { exchangeError } from '../exchange/read-xml.ts';
import type { TextPair } from '../exchange/tmx.ts';
import { listPairs, type MemoryPair, rememberPairs } from './memory.ts';

/** Pairs of one file at most. */
const MAX_IMPORTED = 20_000;
/** Pairs that an export has: the newest ones. */
const MAX_EXPORTED = 50_000;
/** Characters of a text; a post has no longer ones. */
const MAX_TEXT = 100_000;

/** Remembers the pairs of a file. Throws VALIDATION_FAILED for too many, with none of them remembered. */
export async function importMemory(
  desk: Pick<DeskContext, 'project' | 'plans' | 'bus'> & QuotaContext,
  userId: string,
  pairs: readonly TextPair[],
): Promise<{ imported: number }> {
  if (pairs.length > MAX_IMPORTED) {
    const why = `It may have ${MAX_IMPORTED} pairs: please cut it in parts.`;
    throw exchangeError('too-many', why, MAX_IMPORTED);
  }
  const fitting = pairs.filter(({ source, target }) =>
    [source.text, target.text].every((text) => text.length <= MAX_TEXT && text.isWellFormed()),
  );
  await rememberPairs(
    desk,
    fitting.map(
      ({ source, target, changedAt }): MemoryPair => ({
        source,
        target,
        writer: 'import',
        userId,
        postId: null,
        // A file may claim to come from the future.
        updatedAt: Math.max(0, Math.min(changedAt ?? desk.now(), desk.now())),
      }),
    ),
    quotaOf(desk, userId),
  );
  return { imported: fitting.length };
}

/** Returns the pairs of the memory for a file. */
export async function exportMemory(desk: Pick<DeskContext, 'project'>): Promise<TextPair[]> {
  const pairs = await listPairs(desk, MAX_EXPORTED);
  return pairs.map(({ source, target, updatedAt }) => ({ source, target, changedAt: updatedAt }));
}
