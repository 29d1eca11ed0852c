import type { InsightRules } from '../../../core/project.ts';

/** A page that shows a row. */
export interface RowPage {
  table: string;
  id: string;
}

export type MatchPage = (pathname: string) => RowPage | undefined;

/** No row has a longer id. */
const MAX_ID_LENGTH = 100;

/** Returns a function that finds the row that a path shows, or returns undefined for other pages. */
export function createPageMatcher(rules: InsightRules | undefined): MatchPage {
  const pages = Object.entries(rules?.pages ?? {}).map(([pattern, table]) => {
    const [before = '', after = ''] = pattern.split('{id}');
    return { before, after, table };
  });
  return (pathname) => {
    for (const { before, after, table } of pages) {
      if (!pathname.startsWith(before) || !pathname.endsWith(after)) continue;
      const id = pathname.slice(before.length, pathname.length - after.length);
      if (id !== '' && id.length <= MAX_ID_LENGTH && !id.includes('/')) return { table, id };
    }
    return undefined;
  };
}
