import type { Bus, Change } from '../../../core/bus.ts';
import { changesOfUserViews } from '../../../database/changes.ts';
import type { Project } from '../../../database/project.ts';
import { LEXICONS } from '../../../database/sql/lexicon.ts';
import { parseStatement, type SentStatement } from '../../../database/sql/parse-statement.ts';
import type { SqlRows, StatementBatch } from '../../../database/sql/statement-batch.ts';
import { isReadOnlyError } from '../../../database/sql/statement-error.ts';

export interface BatchTarget {
  project: Project;
  bus: Bus;
}

export interface BatchAnswer {
  results: SqlRows[];
  /** Milliseconds. */
  executionTime: number;
}

/** What a statement that may only read begins with. */
const READING: readonly string[] = ['SELECT', 'WITH', 'VALUES', 'TABLE', 'EXPLAIN', 'PRAGMA', 'SHOW'];

/** Carries out one statement, which writes nothing unless it has to: what reads waits for nobody who writes. */
export async function runStatement(statement: SentStatement, target: BatchTarget): Promise<BatchAnswer> {
  const parsed = parse([statement], target);
  const batch = (mode: StatementBatch['mode']) => run({ statements: parsed, mode }, target);
  if (!parsed.some(({ verb }) => READING.includes(verb))) return batch('write');
  try {
    return await batch('read');
  } catch (error) {
    if (!isReadOnlyError(error)) throw error;
    return batch('write');
  }
}

/** Carries out all statements or none. Their changes are on the bus before they are answered. */
export async function runBatch(
  { statements, mode }: { statements: readonly SentStatement[]; mode: StatementBatch['mode'] },
  target: BatchTarget,
): Promise<BatchAnswer> {
  return run({ statements: parse(statements, target), mode }, target);
}

function parse(statements: readonly SentStatement[], { project }: BatchTarget): StatementBatch['statements'] {
  return statements.map((statement) => parseStatement(statement, LEXICONS[project.database.engine]));
}

async function run(batch: StatementBatch, { project, bus }: BatchTarget): Promise<BatchAnswer> {
  const startedAt = performance.now();
  const { results, changes } = await project.database.run(batch);
  for (const change of changes.flatMap((one) => publicChanges(project, one))) {
    bus.publish({ projectId: project.definition.id, ...change });
  }
  return { results, executionTime: Math.round((performance.now() - startedAt) * 1_000) / 1_000 };
}

/** As others know them: accounts by the views that show them, and files by those that have gone. */
function publicChanges({ definition }: Project, change: Change): Change[] {
  if (definition.tables[change.table]) return [change];
  if (change.table === 'users') return changesOfUserViews(definition, change);
  return change.operation === 'delete' ? [change] : [];
}
