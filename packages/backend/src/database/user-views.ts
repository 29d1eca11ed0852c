import type { Change, Row } from '../core/bus.ts';
import type { ProjectDefinition } from '../core/project.ts';
import { toChange } from './recorded-tables.ts';

/** An account before and after a write; at least one of them is there. */
export interface AccountRows {
  before: object | null;
  after: object | null;
}

/**
 * What a write on an account means for the project's views of accounts: what is kept of those is stale. Only the
 * columns that a view shows are told.
 */
export function changesOfUserViews({ tables }: ProjectDefinition, { before, after }: AccountRows): Change[] {
  return Object.entries(tables).flatMap(([table, { ofUsers, columns }]) => {
    if (!ofUsers) return [];
    const shown = (user: object): Row =>
      Object.fromEntries(Object.entries(user).filter(([name]) => Object.hasOwn(columns, name)));
    return toChange({ table, before: before && shown(before), after: after && shown(after) }) ?? [];
  });
}
