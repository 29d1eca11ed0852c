import type { FabricaClient } from '@fabrica/client';
import type { InsightScope, Insights, InsightTotals } from '@fabrica/contract';
import type { JournalPost } from '../../project/entities.ts';
import type { LocalizableTitle } from '../../project/localize.ts';
import { type DayRange, rangeBefore } from './range/day-range.ts';

interface InsightsDataQuery extends DayRange {
  scope: InsightScope;
  /** The user who is signed in. */
  userId: string;
}

/** The data of the page for a range. */
export interface InsightsData {
  insights: Insights;
  /** The totals of the range of the same length before it. */
  before: InsightTotals;
  /** Titles of the posts among the pages, by id. Deleted posts are missing. */
  titles: ReadonlyMap<string, LocalizableTitle>;
  /** False when the user has never published, so that there is nothing to count yet. */
  hasPosts: boolean;
}

const TITLES = ['id', 'title', 'titleEn', 'titleEs', 'titleFr', 'titleDe'] as const;

/** Loads the insights of a range and the totals to compare them with. */
export async function loadInsightsData(
  client: FabricaClient,
  { userId, scope, from, to }: InsightsDataQuery,
): Promise<InsightsData> {
  const posts = client.db.table<JournalPost>('journalPosts');
  const [insights, { totals: before }] = await Promise.all([
    client.insights({ from, to, scope }),
    client.insights({ ...rangeBefore({ from, to }), scope }),
  ]);
  const ids = insights.pages.flatMap(({ value }) => postIdOf(value) ?? []);
  const titled = ids.length
    ? await posts.list({ where: { id: { in: ids } }, select: TITLES, limit: ids.length })
    : [];
  const hasPosts = scope === 'all' || !isEmpty(insights) || (await posts.count({ where: { userId } })) > 0;
  return { insights, before, titles: new Map(titled.map((post) => [post.id, post])), hasPosts };
}

/** Returns whether every count is zero. */
export function isEmpty({ totals }: Insights): boolean {
  return Object.values(totals).every((count) => count === 0);
}

/** Returns the id of the post at a path, or `undefined` for other pages. */
export function postIdOf(path: string): string | undefined {
  return /^\/post\/([^/]+)$/.exec(path)?.[1];
}
