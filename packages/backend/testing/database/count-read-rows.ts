import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Client } from 'pg';
import { connectToRead } from '../../src/database/engines/sqlite/connect.ts';
import { createStatementLimits } from '../../src/database/engines/sqlite/reader/statement-limits.ts';
import type { RecordedStatement } from './record-statements.ts';

/** The cost of a statement that was run again. */
interface ReadRows {
  /** Rows of tables, or entries of their indexes, that the engine looked at. */
  read: number;
  /** Rows of the result; those that were put together into one text count each. */
  returned: number;
  /** The engine's own plan, for a report. */
  plan: string;
}

export interface RowCounter {
  count(statement: RecordedStatement): Promise<ReadRows>;
  close(): Promise<void>;
}

/** Opens the file of a database, and counts by a function that SQLite calls for each row of a table. */
export function countOnSqlite(path: string): RowCounter {
  const limits = createStatementLimits({ timeout: Number.POSITIVE_INFINITY, createError: () => new Error() });
  const plain = connectToRead(path, limits);
  const counting = connectToRead(path, limits);
  let read = 0;
  counting.function('count_row', (_row: unknown) => {
    read += 1;
    return 1;
  });
  countReads(counting);
  return {
    async count({ sql, parameters }) {
      const values = parameters as SQLInputValue[];
      const plan = planOf(plain, sql, values);
      const counted = planOf(counting, sql, values);
      if (withoutNames(plan) !== withoutNames(counted))
        throw new Error(
          `SQLite plans this differently when rows are counted:\n${sql}\n${plan}\n\n${counted}`,
        );
      read = 0;
      limits.begin();
      const statement = counting.prepare(sql);
      statement.setReturnArrays(true);
      const rows = statement.all(...values) as unknown as unknown[][];
      return { read, returned: rowsOf(sql, rows), plan };
    },
    async close() {
      plain.close();
      counting.close();
    },
  };
}

/** Puts a view of the same name in front of each table, which calls the function for each row that is looked at. */
function countReads(connection: DatabaseSync): void {
  const objects = connection
    .prepare(
      `SELECT type, name, sql FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'`,
    )
    .all() as { type: string; name: string; sql: string }[];
  for (const { type, name, sql } of objects) {
    connection.exec(
      type === 'table'
        ? `CREATE TEMP VIEW "${name}" AS SELECT * FROM main."${name}" WHERE count_row(${rowNumber(sql)})`
        : sql.replace(/^CREATE VIEW/i, 'CREATE TEMP VIEW'),
    );
  }
}

/** Returns an argument that is known only once a row is read; a table without row numbers has its key. */
function rowNumber(sql: string): string {
  if (!/WITHOUT ROWID/i.test(sql)) return 'rowid';
  const [, column = ''] = /\(\s*"?(\w+)/.exec(sql) ?? [];
  return `"${column}"`;
}

function planOf(connection: DatabaseSync, sql: string, values: SQLInputValue[]): string {
  const rows = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
  return rows.map(({ detail }) => detail).join('\n');
}

/**
 * Returns the steps of a plan that read or sort rows, without the names of tables, which a view replaces. SQLite makes a join of
 * EXISTS only on tables; the rows that it looks at are the same.
 */
function withoutNames(plan: string): string {
  const steps = plan.split('\n').filter((step) => /^(SEARCH|SCAN|USE TEMP)/.test(step));
  return steps
    .map((step) =>
      step
        .replace(/^(SEARCH|SCAN) \S+/, '$1')
        .replace(' EXISTS', '')
        .replace(' COVERING', ''),
    )
    .sort()
    .join('\n');
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** Counts by PostgreSQL's EXPLAIN, as the role of the project whose URL is given. */
export async function countOnPostgres(url: string, { small }: { small: boolean }): Promise<RowCounter> {
  const client = new Client(url);
  await client.connect();
  return {
    async count({ sql, parameters }) {
      await client.query('BEGIN');
      // Small tables are read as large ones would be.
      for (const method of ['seqscan', 'hashjoin', 'mergejoin'])
        if (small) await client.query(`SET LOCAL enable_${method} = off`);
      try {
        const { rows } = await client.query({ text: sql, values: parameters, rowMode: 'array' });
        const explained = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, parameters);
        const nodes = nodesOf(explained.rows[0]['QUERY PLAN'][0].Plan);
        const read = nodes.reduce((sum, node) => sum + rowsReadBy(node), 0);
        return { read: Math.round(read), returned: rowsOf(sql, rows), plan: nodes.map(describe).join('\n') };
      } finally {
        await client.query('ROLLBACK');
      }
    },
    close: () => client.end(),
  };
}

function rowsReadBy(node: PlanNode): number {
  if (node['Relation Name'] === undefined) return 0;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}

function describe(node: PlanNode): string {
  const of = node['Relation Name']
    ? ` ${node['Relation Name']} ${node['Index Name'] ?? ''} ${rowsReadBy(node)}`
    : '';
  return `${node['Node Type']}${of}`;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Returns the number of rows of a result. A page of a list is one row, whose second column counts those of the page. */
function rowsOf(sql: string, rows: readonly (readonly unknown[])[]): number {
  return sql.startsWith('SELECT string_agg(j') ? Number(rows[0]?.[1]) : rows.length;
}
