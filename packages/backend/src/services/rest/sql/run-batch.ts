import type { Bus } from '../../../core/bus.ts';
import type { Project } from '../../../database/project.ts';
import { parseStatement, type SentStatement } from '../../../database/sql/parse-statement.ts';
import type { SqlRows, StatementBatch } from '../../../database/sql/statement-batch.ts';
import { isReadOnlyError } from '../../../database/sql/statement-error.ts';

export interface BatchTarget {
  project: Project;
  bus: Bus;
}

export interface BatchResult {
  results: SqlRows[];
  /** Milliseconds. */
  executionTime: number;
}

/** The first words of statements that may only read. */
const READING_VERBS: readonly string[] = ['SELECT', 'WITH', 'VALUES', 'TABLE', 'EXPLAIN', 'PRAGMA', 'SHOW'];

/** Runs one statement. It is tried in a batch that only reads first, so that a read does not wait for writers. */
export async function runStatement(statement: SentStatement, target: BatchTarget): Promise<BatchResult> {
  const parsed = parse([statement], target);
  const batch = (mode: StatementBatch['mode']) => run({ statements: parsed, mode }, target);
  if (!parsed.some(({ verb }) => READING_VERBS.includes(verb))) return batch('write');
  try {
    return await batch('read');
  } catch (error) {
    if (!isReadOnlyError(error)) throw error;
    return batch('write');
  }
}

/** Runs all statements or none, and publishes which tables they wrote before the promise is resolved. */
export async function runBatch(
  { statements, mode }: { statements: readonly SentStatement[]; mode: StatementBatch['mode'] },
  target: BatchTarget,
): Promise<BatchResult> {
  return run({ statements: parse(statements, target), mode }, target);
}

function parse(statements: readonly SentStatement[], { project }: BatchTarget): StatementBatch['statements'] {
  return statements.map((statement) => parseStatement(statement, project.database.engine));
}

/** Runs statements of ours on tables that clients have created, as `runBatch` runs those of clients. */
export async function runWrites(
  statements: StatementBatch['statements'],
  target: BatchTarget,
): Promise<SqlRows[]> {
  const { results } = await run({ statements, mode: 'write' }, target);
  return results;
}

async function run(batch: StatementBatch, { project, bus }: BatchTarget): Promise<BatchResult> {
  const startedAt = performance.now();
  const { results, written } = await project.database.run(batch);
  if (written.length > 0) bus.publishTables({ projectId: project.definition.id, tables: written });
  return { results, executionTime: Math.round((performance.now() - startedAt) * 1_000) / 1_000 };
}
