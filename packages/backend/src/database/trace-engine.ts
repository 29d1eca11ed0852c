import type { KyselyPlugin } from 'kysely';
import { beginTraced, traced } from '../runtime/traced.ts';
import type { Database, Engine } from './port.ts';

/** Returns the engine with databases whose statements show in traces: by their verb, without a word of theirs. */
export function traceEngine(engine: Engine): Engine {
  return { ...engine, open: async (project) => traceDatabase(await engine.open(project)) };
}

function traceDatabase(database: Database): Database {
  return {
    ...database,
    reader: database.reader.withPlugin(tracingPlugin()),
    writer: database.writer.withPlugin(tracingPlugin()),
    query: (sql, ...given) => traced('database', verbOf(sql), () => database.query(sql, ...given)),
    values: (sql, ...given) => traced('database', verbOf(sql), () => database.values(sql, ...given)),
    write: (plan) => traced('database', 'write', () => database.write(plan)),
    run: (batch) => traced('database', 'sql', () => database.run(batch)),
  };
}

/** A statement that fails has no end here, and does not show: the request has the error. */
function tracingPlugin(): KyselyPlugin {
  const ends = new WeakMap<object, () => void>();
  return {
    transformQuery({ node, queryId }) {
      ends.set(queryId, beginTraced('database', node.kind.replace(/(Query)?Node$/, '').toLowerCase()));
      return node;
    },
    async transformResult({ result, queryId }) {
      ends.get(queryId)?.();
      return result;
    },
  };
}

function verbOf(sql: string): string {
  return /^\s*(?:with|select)/i.test(sql) ? 'select' : 'statement';
}
