import type { FabricaClient } from '@fabrica/client';
import type { InsightScope, Insights, InsightTotals } from '@fabrica/contract';
import type { JournalPost } from '../entities.ts';
import type { LocalizableTitle } from '../language/localize.ts';
import { type DayRange, rangeBefore } from './range/day-range.ts';

export interface FiguresQuery extends DayRange {
  scope: InsightScope;
  /** Who asks. */
  userId: string;
}

/** All that the page shows of a range. */
export interface Figures {
  insights: Insights;
  /** The totals of as many days before it. */
  before: InsightTotals;
  /** Titles of the posts among the pages, by id; deleted ones are missing. */
  titles: ReadonlyMap<string, LocalizableTitle>;
  /** False where there is nothing to count yet, as whoever asks has never published. */
  hasPosts: boolean;
}

const TITLES = ['id', 'title', 'titleEn', 'titleEs', 'titleFr', 'titleDe'] as const;

/** The figures of a range, and what they are to be compared with. */
export async function loadFigures(
  client: FabricaClient,
  { userId, scope, from, to }: FiguresQuery,
): Promise<Figures> {
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

/** Whether nothing at all was counted. */
export function isEmpty({ totals }: Insights): boolean {
  return Object.values(totals).every((count) => count === 0);
}

/** The id of the post that a path is the page of. */
export function postIdOf(path: string): string | undefined {
  return /^\/post\/([^/]+)$/.exec(path)?.[1];
}
