import type { TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { type Kysely, sql } from 'kysely';

/** Holds the relevant parts of an engine's plan for a statement. */
interface QueryPlan {
  /** Whether every table is read through an index. */
  usesIndexes: boolean;
  /** Whether rows are sorted after they are read. */
  sorts: boolean;
  /** The conditions of the index lookups, in the engine's own notation. */
  conditions: string;
}

/** Returns the engine's plan for a statement. */
export async function explainQuery(
  { engine, reader }: TestDatabase['database'],
  statement: string,
): Promise<QueryPlan> {
  return engine === 'sqlite' ? explainOnSqlite(reader, statement) : explainOnPostgres(reader, statement);
}

async function explainOnSqlite(reader: Kysely<unknown>, statement: string): Promise<QueryPlan> {
  const { rows } = await sql.raw<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`).execute(reader);
  const steps = rows.map(({ detail }) => detail);
  // `page` is the subquery with the rows that were found before.
  const reads = steps.filter((step) => /^(SEARCH|SCAN)/.test(step) && step !== 'SCAN page');
  return {
    usesIndexes: reads.length > 0 && reads.every((step) => /^SEARCH .* USING (COVERING )?INDEX/.test(step)),
    sorts: steps.some((step) => step.startsWith('USE TEMP B-TREE')),
    conditions: steps.join('\n'),
  };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** Disables the ways in which PostgreSQL prefers to read small tables, to find out whether an index serves them. */
function explainOnPostgres(reader: Kysely<unknown>, statement: string): Promise<QueryPlan> {
  return reader.transaction().execute(async (transaction) => {
    for (const method of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort']) {
      await sql.raw(`SET LOCAL enable_${method} = off`).execute(transaction);
    }
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`)
      .execute(transaction);
    const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
    const reads = nodes.filter((node) => node['Relation Name'] !== undefined);
    return {
      usesIndexes: reads.length > 0 && reads.every((node) => /^Index (Only )?Scan/.test(node['Node Type'])),
      sorts: nodes.some((node) => /Sort$/.test(node['Node Type'])),
      conditions: nodes.map((node) => node['Index Cond'] ?? '').join('\n'),
    };
  });
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
