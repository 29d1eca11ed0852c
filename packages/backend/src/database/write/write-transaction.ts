import { MAX_ROW_LIMIT } from '@fabrica/contract';
import type { Change, Row } from '../../core/bus.ts';
import { AppError, forbidden } from '../../core/errors.ts';
import { allOf, type Filter, type Scalar } from '../../core/filter.ts';
import { changeOf } from '../changes.ts';
import type { DeletePlan, TablePlan, UpdatePlan } from '../port.ts';
import {
  type CompileContext,
  compileCount,
  compileDelete,
  compileIds,
  compileInsert,
  compileRows,
  compileSelect,
  compileUpdate,
} from '../query/compile.ts';
import type { Query, Statement } from '../query/query.ts';
import type { TableSchema } from '../schema.ts';
import { writeStamps } from './validate-row.ts';

/** The part of a plan that remains once its table is known. */
export type PlanFor<Plan extends TablePlan> = Omit<Plan, 'kind' | 'table' | 'single'>;

/** Runs a statement of the transaction that all of a write runs in. */
export type RunStatement = (statement: Statement) => Row[] | Promise<Row[]>;

/** Engines bound the parameters of a statement. */
const IDS_PER_STATEMENT = 500;
const VALUES_PER_STATEMENT = 10_000;
/** So many of the largest rows fit into memory at once. */
const FEW_ROWS = 25;
/** Characters that one statement should return, roughly. */
const TARGET_CHARACTERS = 1_000_000;
/** Characters of dependent rows that are held in memory; further ones are read without their long texts. */
const MAX_DEPENDENT_CHARACTERS = 16_000_000;
/** A text that may have more characters than this is long. */
const LONG_TEXT = 4_000;

const BY_ID = [{ column: 'id', descending: false, nullsFirst: false }];

/**
 * The rows of one table within a database transaction, in which all of a write is committed, or nothing: finds and locks them,
 * holds them against the policies, writes them, and records every change.
 */
export class WriteTransaction {
  readonly context: CompileContext;
  /** Every row that was written, in order. */
  readonly changes: Change[];
  readonly #runStatement: RunStatement;

  constructor(context: CompileContext, run: RunStatement, changes: Change[] = []) {
    this.context = context;
    this.changes = changes;
    this.#runStatement = run;
  }

  /** Locks and returns the rows that satisfy the filter, at most `limit` of them. */
  async lock(filter: Filter, limit: number): Promise<Row[]> {
    const columns = [...this.context.table.columns.keys()];
    const query = { columns, filter, order: BY_ID, limit, offset: 0, after: undefined };
    return this.#run(compileSelect, query, { lock: true });
  }

  /** Throws FORBIDDEN unless there is a policy and all of these rows, as they are stored, satisfy it. */
  async requirePolicy(rows: readonly Row[], policy: Filter | undefined): Promise<void> {
    if (!policy) throw forbidden();
    if (holdsAlways(policy)) return;
    const ids = [...new Set(rows.map(idOf))];
    let satisfied = 0;
    for (const values of chunks(ids)) {
      const filter = allOf({ kind: 'in', column: 'id', values }, policy);
      const [row] = await this.#run(compileCount, filter);
      satisfied += Number(row?.total);
    }
    if (satisfied !== ids.length) throw forbidden();
  }

  async insert(rows: readonly Row[]): Promise<void> {
    const { name, columns } = this.context.table;
    const size = Math.max(1, Math.floor(VALUES_PER_STATEMENT / columns.size));
    for (const part of chunks(rows, size)) await this.#run(compileInsert, part);
    for (const row of rows) this.changes.push(changeOf(name, null, row));
  }

  /**
   * Updates the rows of the query that the policy lets the caller update, and returns them as they are now. Throws
   * FORBIDDEN when there are rows but the policy excludes all of them, or when a row no longer satisfies the policy.
   */
  async update(plan: PlanFor<UpdatePlan>, limit?: MemoryLimit): Promise<Row[]> {
    const where = plan.permission.update?.where;
    const updated = await this.change(await this.#findWritable(plan, where, limit), plan);
    await this.requirePolicy(updated, where);
    return updated;
  }

  /** Writes the same changes to all of these rows, and the stamps of a write; returns the rows as they are now. */
  async change(
    rows: readonly Row[],
    { changes, clock }: Pick<UpdatePlan, 'changes' | 'clock'>,
  ): Promise<Row[]> {
    const { table } = this.context;
    const parts = chunks(rows.map(idOf));
    const values = { ...writeStamps(table, changes, clock), ...changes };
    for (const ids of parts) await this.#run(compileUpdate, ids, values);
    return rows.map((before) => {
      const after = { ...before, ...values };
      this.changes.push(changeOf(table.name, before, after));
      return after;
    });
  }

  /**
   * Deletes the rows of the query that the policy lets the caller delete, and returns them. The rows that cascades
   * delete along with them, however many, are recorded as changes too; when they are too long together, the changes lack
   * their long texts. Throws FORBIDDEN when there are rows but the policy excludes all of them.
   */
  async delete(plan: PlanFor<DeletePlan>, limit?: MemoryLimit): Promise<Row[]> {
    const rows = await this.#findWritable(plan, plan.permission.delete, limit);
    const all = [{ table: this, rows }, ...(await this.#findDependents(rows, plan.cascades))];
    for (const { table, rows } of all)
      for (const row of rows) this.changes.push(changeOf(table.context.table.name, row, null));
    // Those that depend on others go first, some at a time: one statement for all of them could take too long.
    for (const { table, rows } of all.reverse())
      for (const ids of chunks(rows.map(idOf))) await table.#run(compileDelete, ids);
    return rows;
  }

  /**
   * Locks and returns the rows of a query that the policy lets the caller update or delete; the query holds only rows
   * that the caller may read. Throws FORBIDDEN when there are rows but the policy excludes all of them, and
   * VALIDATION_FAILED when there are more than one request, or this one, may affect.
   */
  async #findWritable(
    { query, maxAffected }: Pick<UpdatePlan, 'query' | 'maxAffected'>,
    where: Filter | undefined,
    limit: MemoryLimit | undefined,
  ): Promise<Row[]> {
    if (!where) throw forbidden();
    const writable: Query = { ...query, filter: allOf(query.filter, where) };
    const few = await this.#run(compileSelect, writable, {
      columns: [...this.context.table.columns.keys()],
      limit: Math.min(query.limit, FEW_ROWS + 1),
      lock: true,
    });
    if (few.length === 0 && query.limit > 0) {
      const readable = await this.#run(compileRows, query.filter, 1);
      if (readable.length > 0) throw forbidden();
    }
    if (few.length <= FEW_ROWS) {
      requireAtMost(few.length, maxAffected);
      limit?.(few);
      return few;
    }
    const found = await this.#run(compileSelect, writable, { columns: ['id'], lock: true });
    requireAtMost(found.length, maxAffected);
    return this.#readById(found.map(idOf), limit);
  }

  /** Returns all columns of the rows with these ids, in this order. Rows that no longer exist are left out. */
  async #readById(ids: readonly Scalar[], limit?: MemoryLimit): Promise<Row[]> {
    const rows: Row[] = [];
    // Their length is not known at first.
    let size = FEW_ROWS;
    for (let start = 0, end = 0; start < ids.length; start = end) {
      end = Math.min(start + size, ids.length);
      const values = ids.slice(start, end);
      const filter: Filter = { kind: 'in', column: 'id', values };
      const part = await this.#run(compileRows, filter, values.length);
      limit?.(part);
      const byId = new Map(part.map((row) => [row.id, row]));
      for (const id of values) {
        const row = byId.get(id);
        if (row) rows.push(row);
      }
      const average = Math.max(charactersIn(part) / Math.max(part.length, 1), 1);
      size = Math.min(IDS_PER_STATEMENT, Math.max(FEW_ROWS, Math.floor(TARGET_CHARACTERS / average)));
    }
    return rows;
  }

  /** Returns the rows that are deleted along with these through cascades, each row once, and after those it refers to. */
  async #findDependents(rows: readonly Row[], cascades: DeletePlan['cascades']): Promise<RowsOfTable[]> {
    const { schema, table } = this.context;
    const found: RowsOfTable[] = [];
    const seen = new Set(rows.map((row) => keyOf(table, idOf(row))));
    const memory = { characters: 0 };
    const pending: { parent: string; ids: Scalar[] }[] = [{ parent: table.name, ids: rows.map(idOf) }];
    for (const { parent, ids } of pending) {
      for (const { table: name, column } of cascades.filter(({ target }) => target === parent)) {
        const child = schema.get(name);
        if (!child) continue;
        const dependents = new WriteTransaction({ ...this.context, table: child }, this.#runStatement);
        const referring = await dependents.#findReferringIds(column, ids);
        const unseen = referring.filter((id) => !seen.has(keyOf(child, id)));
        for (const id of unseen) seen.add(keyOf(child, id));
        if (unseen.length === 0) continue;
        found.push({ table: dependents, rows: await dependents.#readDependents(unseen, memory) });
        pending.push({ parent: name, ids: unseen });
      }
    }
    return found;
  }

  /** Returns the rows with these ids; without long texts once `memory` is full. */
  async #readDependents(ids: readonly Scalar[], memory: { characters: number }): Promise<Row[]> {
    const rows: Row[] = [];
    for (const values of chunks(ids)) {
      if (memory.characters <= MAX_DEPENDENT_CHARACTERS) {
        const whole = await this.#readById(values);
        memory.characters += charactersIn(whole);
        for (const row of whole) rows.push(row);
        continue;
      }
      const filter: Filter = { kind: 'in', column: 'id', values };
      const columns = shortColumns(this.context.table);
      const query = { columns, filter, order: BY_ID, limit: values.length, offset: 0, after: undefined };
      for (const row of await this.#run(compileSelect, query)) rows.push(row);
    }
    return rows;
  }

  /** Returns the ids of all rows whose `column` holds one of these ids. */
  async #findReferringIds(column: string, ids: readonly Scalar[]): Promise<Scalar[]> {
    const referring: Scalar[] = [];
    for (const values of chunks(ids)) {
      const filter: Filter = { kind: 'in', column, values };
      for (const row of await this.#run(compileIds, filter)) referring.push(idOf(row));
    }
    return referring;
  }

  /** Runs a statement on the table: what a write does to the database passes here. */
  #run<Arguments extends unknown[]>(
    compile: (context: CompileContext, ...given: Arguments) => Statement,
    ...given: Arguments
  ): Row[] | Promise<Row[]> {
    return this.#runStatement(compile(this.context, ...given));
  }
}

interface RowsOfTable {
  table: WriteTransaction;
  rows: Row[];
}

/** Tells whether every row satisfies a policy, as the service role's: there is nothing to look up. */
function holdsAlways(policy: Filter): boolean {
  return policy.kind === 'and' && policy.of.every(holdsAlways);
}

function requireAtMost(found: number, maxAffected: number | undefined): void {
  if (maxAffected !== undefined && found > maxAffected) {
    throw new AppError(
      'VALIDATION_FAILED',
      `More rows would be touched than the ${maxAffected} that max-affected allows: nothing was written.`,
    );
  }
  if (found > MAX_ROW_LIMIT) {
    throw new AppError(
      'VALIDATION_FAILED',
      `One request may change ${MAX_ROW_LIMIT} rows at most: narrow the filter, or set a limit.`,
    );
  }
}

function shortColumns({ columns }: TableSchema): string[] {
  return [...columns]
    .filter(([, rule]) => rule.type !== 'text' || rule.max <= LONG_TEXT)
    .map(([name]) => name);
}

const keyOf = (table: TableSchema, id: Scalar) => `${table.name}/${id}`;

/** Counts rows that a write holds in memory. Throws VALIDATION_FAILED when they are too long together. */
export type MemoryLimit = (rows: readonly Row[]) => void;

/** Returns a limit on the characters of all rows that are counted. A single row always passes. */
export function limitCharacters(max: number, message: string): MemoryLimit {
  let total = 0;
  return (rows) => {
    total += charactersIn(rows);
    if (total > max && rows.length > 1) throw new AppError('VALIDATION_FAILED', message);
  };
}

/** Returns the number of characters of all texts of the rows. */
export function charactersIn(rows: readonly Row[]): number {
  let characters = 0;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === 'string') characters += value.length;
    }
  }
  return characters;
}

/** Splits values into arrays of `size` at most. */
export function chunks<T>(values: readonly T[], size = IDS_PER_STATEMENT): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < values.length; start += size) parts.push(values.slice(start, start + size));
  return parts;
}

export function idOf({ id }: Row): Scalar {
  return id ?? null;
}
