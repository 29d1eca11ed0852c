import type { Statement } from './compile.ts';
import type { Database } from './database.ts';
import type { Page } from './read-page.ts';

const MAX_CHARACTERS = 8_000_000;
/** A page that would push out all the others is kept for nobody. */
const MAX_PAGE_CHARACTERS = MAX_CHARACTERS / 4;

/**
 * Keeps answers to reading statements until the next commit. Policies and the caller's own values
 * are part of a statement, so nobody is answered with what was read for another.
 */
export interface PageCache {
  /** The page of this statement, read anew unless nothing was committed since it was read last. */
  page(statement: Statement, countExact: boolean, read: () => Promise<Page>): Page | Promise<Page>;
}

export function createPageCache(database: Database): PageCache {
  const pages = new Map<string, Page>();
  let keptVersion: number | undefined;
  let characters = 0;

  function forget(): void {
    pages.clear();
    characters = 0;
  }

  function keep(key: string, page: Page): void {
    const size = key.length + page.json.length;
    if (size > MAX_PAGE_CHARACTERS) return;
    if (characters + size > MAX_CHARACTERS) forget();
    characters += size;
    pages.set(key, page);
  }

  return {
    page({ sql, parameters }, countExact, read) {
      const version = database.version();
      if (version === undefined) return read();
      if (version !== keptVersion) forget();
      keptVersion = version;
      const key = `${countExact}\n${sql}\n${JSON.stringify(parameters)}`;
      const known = pages.get(key);
      if (known) return known;
      return read().then((page) => {
        // A commit may have come in between: what was read is then kept for nobody.
        if (keptVersion === version && !pages.has(key)) keep(key, page);
        return page;
      });
    },
  };
}
