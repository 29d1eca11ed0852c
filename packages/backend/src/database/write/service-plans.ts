import type { Bus, Row } from '../../core/bus.ts';
import type { Filter } from '../../core/filter.ts';
import { servicePermission } from '../permission.ts';
import type { CreatePlan, TablePlan, WriteOutcome, WriteQuota } from '../port.ts';
import type { Project } from '../project.ts';
import type { Statement } from '../query/query.ts';
import { schemaOf, type TableSchema, unknownTable } from '../schema.ts';
import { validateColumns } from './validate-row.ts';

/** Makes plans of a service on the tables of a project: values are checked as a client's, policies are not asked. */
export class ServicePlans {
  readonly #project: Project;
  readonly #now: () => number;
  readonly #schema;

  /** `now` returns the time of the stamps, in epoch ms. */
  constructor(project: Project, now: () => number = Date.now) {
    this.#project = project;
    this.#now = now;
    this.#schema = schemaOf(project.definition);
  }

  /** Creates a row. Throws VALIDATION_FAILED. */
  create(name: string, row: Row): TablePlan {
    return this.#insert(name, [row], { conflictTarget: undefined, onConflict: 'ignore', single: true });
  }

  /** Creates rows, and updates those that exist already under their ids. Throws VALIDATION_FAILED. */
  put(name: string, rows: readonly Row[]): TablePlan {
    return this.#insert(name, rows, { conflictTarget: ['id'], onConflict: 'update', single: false });
  }

  /**
   * Updates the rows that a filter matches; with `single`, nothing of the transaction is written unless that is exactly one.
   * Throws VALIDATION_FAILED.
   */
  update(name: string, filter: Filter, { changes, single }: { changes: Row; single: boolean }): TablePlan {
    const table = this.#table(name);
    const clock = this.#clock();
    return {
      kind: 'update',
      table: name,
      permission: servicePermission(table),
      query: queryOf(table, filter),
      changes: validateColumns(table, changes, { clock, isStored: true }),
      clock,
      single,
      maxAffected: undefined,
    };
  }

  /** Deletes the rows that a filter matches, and what cascades with them. */
  async delete(name: string, filter: Filter, { single }: { single: boolean }): Promise<TablePlan> {
    const table = this.#table(name);
    return {
      kind: 'delete',
      table: name,
      permission: servicePermission(table),
      query: queryOf(table, filter),
      cascades: await this.#project.database.cascades([...this.#schema.keys()]),
      single,
      maxAffected: undefined,
    };
  }

  #insert(
    name: string,
    rows: readonly Row[],
    how: Pick<CreatePlan, 'conflictTarget' | 'onConflict' | 'single'>,
  ): TablePlan {
    const table = this.#table(name);
    const clock = this.#clock();
    return {
      kind: 'create',
      table: name,
      permission: servicePermission(table),
      rows: rows.map((row) => validateColumns(table, row, { clock, whole: true, isStored: true })),
      clock,
      ...how,
    };
  }

  #table(name: string): TableSchema {
    const table = this.#schema.get(name);
    if (!table) throw unknownTable();
    return table;
  }

  #clock() {
    return { now: this.#now(), serverStamps: false };
  }
}

interface ServiceWrite {
  plans: readonly TablePlan[];
  /** Counts what the account that asked for it may still write today; without one, nobody's bytes are counted. */
  quota?: WriteQuota | undefined;
  /** Statements on tables of the services that belong to the same transaction. */
  statements?: readonly Statement[] | undefined;
}

/**
 * Runs plans in one transaction, and publishes their changes before it returns. Throws the errors of `Database.write`, and
 * RATE_LIMITED beyond the quota.
 */
export async function writeAndPublish(
  { definition, database }: Project,
  bus: Bus,
  { plans, quota, statements }: ServiceWrite,
): Promise<WriteOutcome> {
  const outcome = await database.write({ kind: 'all', plans, quota, statements });
  for (const change of outcome.changes) bus.publish({ projectId: definition.id, ...change });
  return outcome;
}

function queryOf({ columns }: TableSchema, filter: Filter) {
  return {
    columns: [...columns.keys()],
    filter,
    order: [{ column: 'id', descending: false, nullsFirst: false }],
    limit: Number.MAX_SAFE_INTEGER,
    offset: 0,
    after: undefined,
  };
}
