import type { InsightRules } from '../../../core/project.ts';

/** A page that shows a row. */
export interface RowPage {
  table: string;
  id: string;
}

export type PageOf = (pathname: string) => RowPage | undefined;

/** Longer ones are nobody's. */
const MAX_ID_LENGTH = 100;

/** Finds out which row a path shows; undefined for all other pages. */
export function createPageOf(rules: InsightRules | undefined): PageOf {
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
