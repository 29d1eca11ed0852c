import type { Row } from '../../core/bus.ts';
import { forbidden } from '../../core/errors.ts';
import { allOf, type Filter } from '../../core/filter.ts';
import type { Clock } from '../port.ts';
import { compileInsert } from '../query/compile.ts';
import { chunks, countAmong } from './check-rows.ts';
import { findKnownRows, type Key, type KnownRow, KnownRows } from './existing-rows.ts';
import { changeRows } from './update-rows.ts';
import { completeRow } from './validate-row.ts';
import type { Write } from './write.ts';

export interface CreateOptions {
  clock: Clock;
  /** Columns by which a row is there already. */
  conflict: Key | undefined;
  /** What becomes of such a row. */
  resolution: 'merge' | 'ignore';
}

export interface Created {
  /** The rows that were made, changed, or found to be there already, in the order they were given. */
  rows: Row[];
  /** How many of them are new. */
  created: number;
}

/** So many rows are looked for, and written, at once. */
const ROWS_AT_ONCE = 200;
/** Values of one statement at most: engines bound the parameters. */
const VALUES_PER_STATEMENT = 10_000;

/**
 * Writes new rows, or none of them. Every new row must satisfy the create policy, and so must one that is answered
 * in its place. Throws FORBIDDEN, VALIDATION_FAILED.
 */
export async function createRows(
  write: Write,
  given: readonly Row[],
  options: CreateOptions,
): Promise<Created> {
  const creation = new Creation(write, options);
  for (let at = 0; at < given.length; at += ROWS_AT_ONCE) {
    await creation.take(given.slice(at, at + ROWS_AT_ONCE));
  }
  const { answered, inserted, kept } = creation;
  await requireSatisfied(write, inserted, write.permission.create);
  if (kept.length > 0) await requireKept(write, kept);
  return { rows: answered.map(({ row }) => row), created: inserted.length };
}

/** One row to be written. */
interface Step {
  known: KnownRow;
  /** What is merged into it; undefined for a new row. */
  changes: Row | undefined;
  /** Where the row is answered. */
  answer: { row: Row };
}

/** Decides about rows one after the other, and writes them some at a time: as if each were written at once. */
class Creation {
  readonly answered: { row: Row }[] = [];
  readonly inserted: Row[] = [];
  /** There already, and answered as they are. */
  readonly kept: Row[] = [];
  readonly #write: Write;
  readonly #options: CreateOptions;
  readonly #keys: readonly Key[];
  #there = new KnownRows([]);
  #steps: Step[] = [];

  constructor(write: Write, options: CreateOptions) {
    this.#write = write;
    this.#options = options;
    const { onePer } = write.context.table;
    this.#keys = [options.conflict, onePer].filter((key) => key !== undefined);
  }

  async take(drafts: readonly Row[]): Promise<void> {
    this.#there = await findKnownRows(this.#write, drafts, this.#keys);
    for (const draft of drafts) await this.#decide(draft);
    await this.#carryOut();
  }

  async #decide(draft: Row): Promise<void> {
    const { table } = this.#write.context;
    const conflicting = this.#there.find(this.#options.conflict, draft);
    const known = conflicting ?? this.#there.find(table.onePer, draft);
    if (!known) {
      const row = completeRow(table, draft, this.#options.clock);
      this.inserted.push(row);
      this.#add({ known: this.#there.add(row), changes: undefined, answer: { row } });
      return;
    }
    if (known.pending) await this.#carryOut();
    if (!conflicting) {
      this.kept.push(known.row);
      this.answered.push({ row: known.row });
    } else if (this.#options.resolution === 'merge') {
      await this.#merge(known, draft);
    }
  }

  async #merge(known: KnownRow, draft: Row): Promise<void> {
    const { row } = known;
    const { update } = this.#write.permission;
    const differing = Object.entries(draft).filter(([name, value]) => row[name] !== value);
    if (!differing.every(([name]) => update?.columns.has(name))) throw forbidden();
    // Another row may be given the values that this one has had, or would have.
    const alone = differing.some(([name]) => this.#keys.some((key) => key.includes(name)));
    if (alone) await this.#carryOut();
    this.#add({ known, changes: Object.fromEntries(differing), answer: { row } });
    if (alone) await this.#carryOut();
  }

  #add(step: Step): void {
    step.known.pending = true;
    this.#steps.push(step);
    this.answered.push(step.answer);
  }

  async #carryOut(): Promise<void> {
    const steps = this.#steps;
    this.#steps = [];
    const { update, read } = this.#write.permission;
    const { where } = update ?? {};
    const merged = steps.filter(({ changes }) => changes !== undefined);
    if (merged.length > 0) {
      const rows = merged.map(({ known }) => known.row);
      await requireSatisfied(this.#write, rows, where && read && allOf(where, read));
    }
    const changed: Row[] = [];
    let fresh: Row[] = [];
    for (const { known, changes, answer } of steps) {
      known.pending = false;
      if (!changes) {
        fresh.push(known.row);
        continue;
      }
      if (Object.keys(changes).length === 0) continue;
      await this.#insert(fresh);
      fresh = [];
      const [row = known.row] = await changeRows(this.#write, [known.row], changes, this.#options.clock);
      this.#there.change(known, row);
      answer.row = row;
      changed.push(row);
    }
    await this.#insert(fresh);
    if (changed.length > 0) await requireSatisfied(this.#write, changed, where);
  }

  async #insert(rows: readonly Row[]): Promise<void> {
    const { context, run, changes } = this.#write;
    const size = Math.max(1, Math.floor(VALUES_PER_STATEMENT / context.table.columns.size));
    for (const some of chunks(rows, size)) await run(compileInsert(context, some));
    for (const row of rows) {
      changes.push({
        table: context.table.name,
        operation: 'create',
        id: String(row.id),
        changed: Object.keys(row),
        before: null,
        after: row,
      });
    }
  }
}

async function requireKept(write: Write, kept: readonly Row[]): Promise<void> {
  const { create, read } = write.permission;
  await requireSatisfied(write, kept, create && read && allOf(create, read));
}

async function requireSatisfied(
  write: Write,
  rows: readonly Row[],
  check: Filter | undefined,
): Promise<void> {
  if (!check) throw forbidden();
  const ids = [...new Set(rows.map(({ id }) => id ?? null))];
  if ((await countAmong(write, ids, check)) !== ids.length) throw forbidden();
}
