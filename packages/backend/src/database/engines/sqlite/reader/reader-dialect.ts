import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { SqliteDialect } from 'kysely';
import type { Prepare } from '../statement-cache.ts';

/** Returns Kysely's dialect on a connection of this thread. */
export function readerDialect(connection: DatabaseSync, prepare: Prepare): SqliteDialect {
  return new SqliteDialect({
    database: {
      close: () => connection.close(),
      prepare(sql: string) {
        const { statement, returnsRows } = prepare(sql);
        return {
          reader: returnsRows,
          all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
          run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
          iterate: (values: readonly unknown[]) =>
            statement.iterate(...(values as SQLInputValue[])) as IterableIterator<unknown>,
        };
      },
    },
  });
}
