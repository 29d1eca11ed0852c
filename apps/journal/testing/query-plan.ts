import type { TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { type Kysely, sql } from 'kysely';

/** How an engine goes about a statement, for tests. */
export interface ReadPlan {
  /** Every table that is looked at is looked up in an index. */
  byIndex: boolean;
  /** Rows are put in order after they have been found. */
  sorts: boolean;
  /** What is looked up, in the engine's own words. */
  conditions: string;
}

export async function readPlan(
  { engine, reader }: TestDatabase['database'],
  statement: string,
): Promise<ReadPlan> {
  return engine === 'sqlite' ? planOfSqlite(reader, statement) : planOfPostgres(reader, statement);
}

async function planOfSqlite(reader: Kysely<unknown>, statement: string): Promise<ReadPlan> {
  const { rows } = await sql.raw<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`).execute(reader);
  const steps = rows.map(({ detail }) => detail);
  // "page" is what has been found already.
  const looks = steps.filter((step) => /^(SEARCH|SCAN)/.test(step) && step !== 'SCAN page');
  return {
    byIndex: looks.length > 0 && looks.every((step) => /^SEARCH .* USING (COVERING )?INDEX/.test(step)),
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

/** Small tables are read as a whole, unless it is forbidden: what is asked is whether there is another way. */
function planOfPostgres(reader: Kysely<unknown>, statement: string): Promise<ReadPlan> {
  return reader.transaction().execute(async (transaction) => {
    for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort']) {
      await sql.raw(`SET LOCAL enable_${way} = off`).execute(transaction);
    }
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`)
      .execute(transaction);
    const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
    const looks = nodes.filter((node) => node['Relation Name'] !== undefined);
    return {
      byIndex: looks.length > 0 && looks.every((node) => /^Index (Only )?Scan/.test(node['Node Type'])),
      sorts: nodes.some((node) => /Sort$/.test(node['Node Type'])),
      conditions: nodes.map((node) => node['Index Cond'] ?? '').join('\n'),
    };
  });
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
