import { createSum, type RunningSum, type TableSum, type Value } from './canonical-row.ts';
import type { Snapshot, TableShape, Tables, Target } from './snapshot.ts';

export interface TransferOptions {
  /** Names of tables, views and columns (`table.column`) that no migration creates, and that are not copied. */
  leaveOut: readonly string[];
  onProgress?: ReportProgress | undefined;
}

/** Is called with the number of rows of a table that were copied so far. */
export type ReportProgress = (table: string, rows: number) => void;

/**
 * Copies all rows of the tables that migrations create, reads them again from the target, and returns their checksums.
 * Throws when the source has anything else that is not to be left out, when the target refuses a row, or when it
 * returns other rows than it was given.
 */
export async function transferRows(
  from: Snapshot,
  to: Target,
  { leaveOut, onProgress = () => undefined }: TransferOptions,
): Promise<TableSum[]> {
  const tables = planTransfer(from, to, leaveOut);
  const sums: TableSum[] = [];
  for (const table of tables) {
    const sum = createSum(table.name, namesOf(table));
    const rows = summed(from.read(withoutSurplus(from, table)), sum, (count) =>
      onProgress(table.name, count),
    );
    await to.load(table, rows);
    sums.push(sum.end());
  }
  await to.finish();
  for (const [index, table] of tables.entries()) requireSame(sums[index], await sumOf(to, table));
  return sums;
}

/** Returns the checksum of a table as it is now. */
async function sumOf(tables: Tables, table: TableShape): Promise<TableSum> {
  const sum = createSum(table.name, namesOf(table));
  for await (const batch of tables.read(table)) sum.add(batch);
  return sum.end();
}

/** Returns the checksums of all tables, in the order of their names. */
export async function sumsOf(tables: Tables): Promise<TableSum[]> {
  const sums: TableSum[] = [];
  for (const table of tables.tables) sums.push(await sumOf(tables, table));
  return sums;
}

async function* summed(
  batches: AsyncIterable<Value[][]>,
  sum: RunningSum,
  onProgress: (rows: number) => void,
): AsyncGenerator<Value[][]> {
  let rows = 0;
  for await (const batch of batches) {
    sum.add(batch);
    yield batch;
    rows += batch.length;
    onProgress(rows);
  }
}

function requireSame(sent: TableSum | undefined, received: TableSum): void {
  if (sent?.rows === received.rows && sent.sha256 === received.sha256) return;
  throw new Error(
    `Table "${received.table}" did not arrive as it was sent (${sent?.rows} rows were sent, ${received.rows} arrived): nothing was kept of it.`,
  );
}

/** Returns the target's tables. Throws when the source has anything that they cannot hold. */
function planTransfer(from: Snapshot, to: Target, leaveOut: readonly string[]): readonly TableShape[] {
  requireTables(from, to);
  const surplus = surplusOf(from, to);
  const unknown = leaveOut.filter((name) => !surplus.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `Only what no migration made can be left out, and ${quoteAll(unknown)} ${unknown.length === 1 ? 'is' : 'are'} not that.`,
    );
  }
  const remaining = surplus.filter((name) => !leaveOut.includes(name));
  if (remaining.length === 0) return to.tables;
  throw new Error(
    `No migration makes ${quoteAll(remaining)}, so that ${remaining.length === 1 ? 'it' : 'they'} cannot be carried to another database: write a migration, or leave behind what you do not need with --leave-out ${remaining.join(',')}.`,
  );
}

/** Returns the names of tables, columns and views that the source has and the target does not have. */
function surplusOf(from: Snapshot, to: Target): string[] {
  const surplus: string[] = [];
  for (const table of from.tables) {
    const same = to.tables.find(({ name }) => name === table.name);
    if (!same) surplus.push(table.name);
    else {
      const known = namesOf(same);
      surplus.push(
        ...namesOf(table)
          .filter((name) => !known.includes(name))
          .map((name) => `${table.name}.${name}`),
      );
    }
  }
  return [...surplus, ...from.views.filter((name) => !to.views.includes(name))];
}

function requireTables(from: Snapshot, to: Target): void {
  const missing: string[] = [];
  for (const { name, columns } of to.tables) {
    const same = from.tables.find((table) => table.name === name);
    if (!same) missing.push(name);
    else {
      const known = namesOf(same);
      missing.push(
        ...columns.filter((column) => !known.includes(column.name)).map((column) => `${name}.${column.name}`),
      );
    }
  }
  if (missing.length === 0) return;
  throw new Error(
    `The migrations that have run make ${quoteAll(missing)}, and the database does not have ${missing.length === 1 ? 'it' : 'them'}: somebody has changed its tables otherwise.`,
  );
}

/** Returns the source's table with the columns of the target's table. */
function withoutSurplus({ tables }: Snapshot, { name, columns, key }: TableShape): TableShape {
  const own = tables.find((table) => table.name === name);
  if (!own) throw new Error(`There is no table "${name}" to copy.`);
  const wanted = columns.map((column) => column.name);
  return { name, key, columns: own.columns.filter((column) => wanted.includes(column.name)) };
}

function namesOf({ columns }: TableShape): string[] {
  return columns.map(({ name }) => name);
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
