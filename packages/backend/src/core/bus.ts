import type { Scalar } from './filter.ts';

export type Row = Record<string, Scalar>;

/** One committed write on a project's table. */
export interface ChangeEvent {
  projectId: string;
  table: string;
  operation: 'create' | 'update' | 'delete';
  id: string;
  /** Names of the columns that differ between `before` and `after`. */
  changed: readonly string[];
  /** The row as it was; null when created. A row that was deleted along with very many others may lack long texts. */
  before: Row | null;
  /** The row as it is; null when deleted. */
  after: Row | null;
}

/** A committed write, before the bus adds whose project it was. */
export type Change = Omit<ChangeEvent, 'projectId'>;

/** A committed write of SQL, of which only the tables are known. */
export interface TablesEvent {
  projectId: string;
  /** Names of tables, of which some may be as they were. */
  tables: readonly string[];
}

type TablesListener = (event: TablesEvent) => void;

type ChangeListener = (event: ChangeEvent) => void;

/** Carries committed writes to listeners whose caches they make stale. */
export interface Bus {
  /** Runs all listeners before it returns, so that the response to a write never overtakes its effects. */
  publish(event: ChangeEvent): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: ChangeListener): () => void;
  /** Does the same for a write whose rows are not known. Caches notice it as a commit of another process. */
  publishTables(event: TablesEvent): void;
  subscribeTables(listener: TablesListener): () => void;
}

export function createInProcessBus(): Bus {
  const changes = createListeners<ChangeEvent>();
  const tables = createListeners<TablesEvent>();
  return {
    publish: changes.publish,
    subscribe: changes.subscribe,
    publishTables: tables.publish,
    subscribeTables: tables.subscribe,
  };
}

function createListeners<Event>() {
  const listeners = new Set<(event: Event) => void>();
  return {
    publish(event: Event): void {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener: (event: Event) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
