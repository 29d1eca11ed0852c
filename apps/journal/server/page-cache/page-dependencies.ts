import type { ChangeEvent } from '@fabrica/backend';

/** Describes rows that a page was rendered from: those of a table whose columns have these values, or all of its rows. */
export interface Dependency {
  projectId: string;
  table: string;
  equals: ReadonlyMap<string, string>;
}

/** A page in the index. */
export interface IndexedPage {
  key: string;
  dependencies: Dependency[];
  /** The entries of the index that it is in. */
  entries: { pages: PagesByValue; value: string }[];
  isRemoved: boolean;
}

/** The pages that depend on rows in which a column has a value. */
type PagesByValue = Map<string, Set<IndexedPage>>;

/** Stands for the column, and its value, of pages that depend on all rows of a table. */
const ANY = '';

/** Finds the pages that were rendered from a row. It looks at those alone that depend on one of the row's values. */
export class DependencyIndex {
  /** The pages of each table by one of the columns that they depend on. */
  readonly #tables = new Map<string, Map<string, PagesByValue>>();

  add(key: string, dependencies: readonly Dependency[]): IndexedPage {
    const page: IndexedPage = { key, dependencies: [], entries: [], isRemoved: false };
    for (const dependency of dependencies) this.depend(page, dependency);
    return page;
  }

  /** Has a page depend on further rows, unless it was removed meanwhile. */
  depend(page: IndexedPage, dependency: Dependency): void {
    if (page.isRemoved) return;
    page.dependencies.push(dependency);
    const entry = this.#entryFor(dependency);
    const pages = entry.pages.get(entry.value) ?? new Set();
    entry.pages.set(entry.value, pages.add(page));
    page.entries.push(entry);
  }

  remove(page: IndexedPage): void {
    page.isRemoved = true;
    for (const { pages, value } of page.entries) {
      const set = pages.get(value);
      set?.delete(page);
      if (set?.size === 0) pages.delete(value);
    }
  }

  /** Returns the keys of the pages that a change affects. */
  keysOf(event: ChangeEvent): Set<string> {
    const keys = new Set<string>();
    for (const [column, pages] of this.#tables.get(tableKey(event)) ?? []) {
      const values =
        column === ANY ? [ANY] : [event.before, event.after].map((row) => row && String(row[column]));
      for (const value of new Set(values)) {
        for (const { key, dependencies } of (value !== null && pages.get(value)) || [])
          if (dependencies.some((dependency) => affects(event, dependency))) keys.add(key);
      }
    }
    return keys;
  }

  /** Returns the entry of the index for this dependency: that of the column whose value the fewest pages depend on. */
  #entryFor(dependency: Dependency): { pages: PagesByValue; value: string } {
    const key = tableKey(dependency);
    const table = this.#tables.get(key) ?? new Map<string, PagesByValue>();
    this.#tables.set(key, table);
    const pairs = dependency.equals.size > 0 ? [...dependency.equals] : [[ANY, ANY] as const];
    const sizeOf = ([column, value]: readonly [string, string]) => table.get(column)?.get(value)?.size ?? 0;
    const [column, value] = pairs.reduce((least, pair) => (sizeOf(pair) < sizeOf(least) ? pair : least));
    const pages = table.get(column) ?? new Map<string, Set<IndexedPage>>();
    table.set(column, pages);
    return { pages, value };
  }
}

function tableKey({ projectId, table }: Pick<Dependency, 'projectId' | 'table'>): string {
  return `${projectId} ${table}`;
}

/** Returns whether a change affects a page with this dependency. */
function affects(event: ChangeEvent, { projectId, table, equals }: Dependency): boolean {
  if (event.projectId !== projectId || event.table !== table) return false;
  return [event.before, event.after].some(
    (row) => row !== null && [...equals].every(([column, value]) => String(row[column]) === value),
  );
}
