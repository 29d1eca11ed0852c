import { createSum, type RunningSum, type TableSum, type Value } from './canonical-row.ts';
import type { Snapshot, TableShape, Tables, Target } from './snapshot.ts';

export interface TransferOptions {
  /** Names of tables and views, and of columns (`table.column`), that no migration made and that stay behind. */
  leaveOut: readonly string[];
  /** Called now and then. */
  onProgress?(table: string, rows: number): void;
}

/**
 * Copies all rows of the tables that migrations make, then reads them again from where they are now. Answers their
 * sums. Throws a sentence when there is more in the source than migrations make and than is to be left out, when the
 * target takes a row for another one, or when it does not take it.
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
    const rows = passedOn(from.read(withoutSurplus(from, table)), sum, (count) =>
      onProgress(table.name, count),
    );
    await to.load(table, rows);
    sums.push(sum.end());
  }
  await to.finish();
  for (const [at, table] of tables.entries()) requireSame(sums[at], await sumOf(to, table));
  return sums;
}

/** The sum of a table as it is. */
async function sumOf(tables: Tables, table: TableShape): Promise<TableSum> {
  const sum = createSum(table.name, namesOf(table));
  for await (const batch of tables.read(table)) sum.add(batch);
  return sum.end();
}

/** The sums of all tables, in the order of their names. */
export async function sumsOf(tables: Tables): Promise<TableSum[]> {
  const sums: TableSum[] = [];
  for (const table of tables.tables) sums.push(await sumOf(tables, table));
  return sums;
}

async function* passedOn(
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

function requireSame(sent: TableSum | undefined, arrived: TableSum): void {
  if (sent?.rows === arrived.rows && sent.sha256 === arrived.sha256) return;
  throw new Error(
    `Table "${arrived.table}" did not arrive as it was sent (${sent?.rows} rows were sent, ${arrived.rows} arrived): nothing was kept of it.`,
  );
}

/** The target's tables. Throws when the source has anything that does not fit into them. */
function planTransfer(from: Snapshot, to: Target, leaveOut: readonly string[]): readonly TableShape[] {
  requireTables(from, to);
  const surplus = surplusOf(from, to);
  const unknown = leaveOut.filter((name) => !surplus.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `Only what no migration made can be left out, and ${listed(unknown)} ${unknown.length === 1 ? 'is' : 'are'} not that.`,
    );
  }
  const carried = surplus.filter((name) => !leaveOut.includes(name));
  if (carried.length === 0) return to.tables;
  throw new Error(
    `No migration makes ${listed(carried)}, so that ${carried.length === 1 ? 'it' : 'they'} cannot be carried to another database: write a migration, or leave behind what you do not need with --leave-out ${carried.join(',')}.`,
  );
}

/** What the source has and the target does not. */
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
    `The migrations that have run make ${listed(missing)}, and the database does not have ${missing.length === 1 ? 'it' : 'them'}: somebody has changed its tables otherwise.`,
  );
}

/** The source's table, with the columns of the target's. */
function withoutSurplus({ tables }: Snapshot, { name, columns, key }: TableShape): TableShape {
  const own = tables.find((table) => table.name === name);
  if (!own) throw new Error(`There is no table "${name}" to copy.`);
  const wanted = columns.map((column) => column.name);
  return { name, key, columns: own.columns.filter((column) => wanted.includes(column.name)) };
}

function namesOf({ columns }: TableShape): string[] {
  return columns.map(({ name }) => name);
}

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
