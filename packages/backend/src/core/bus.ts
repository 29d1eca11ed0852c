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

type ChangeListener = (event: ChangeEvent) => void;

/** Carries committed writes to listeners whose caches they make stale. */
export interface Bus {
  /** Runs all listeners before it returns, so that the response to a write never overtakes its effects. */
  publish(event: ChangeEvent): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: ChangeListener): () => void;
}

export function createInProcessBus(): Bus {
  const listeners = new Set<ChangeListener>();
  return {
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
