import { Query, type QueryConfig } from 'pg';
import type { Row } from '../../../../core/bus.ts';
import {
  MAX_BYTES,
  MAX_ROWS,
  type SqlRows,
  type SqlStatement,
  type SqlValue,
  sizeOf,
} from '../../../sql/statement-batch.ts';
import { NotAllowed, tooManyRows } from '../../../sql/statement-error.ts';
import { ConnectionLost, endsConnection } from '../postgres-error.ts';
import type { PostgresSession } from '../sessions/session.ts';
import { parserOf } from './sql-value.ts';

/** Commands that change rows. */
const CHANGING: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

/** Codes of the warnings that privileges were neither granted nor revoked: the rest of the statement is done. */
const WITHOUT_EFFECT: readonly string[] = ['01006', '01007'];

/** Bytes that may be received: `pg` buffers a whole row before it emits it, and a row may have a gigabyte. */
const MAX_RECEIVED = 4 * MAX_BYTES;

export interface ReadLimits {
  /** Bytes that the batch may still return; the result is subtracted. */
  bytes: number;
  /** Milliseconds after which a server that has not responded is given up. */
  timeout: number;
}

/**
 * Runs one statement of a client. Throws NotAllowed for too large a result, which ends the connection, ConnectionLost, and errors of the
 * server.
 */
export async function readStatementResult(
  session: PostgresSession,
  { sql, parameters }: SqlStatement,
  limits: ReadLimits,
): Promise<SqlRows> {
  const rows: SqlValue[][] = [];
  const { fields, command, rowCount } = await runQuery(session, {
    query: new Query({
      text: sql,
      values: [...parameters],
      rowMode: 'array',
      // The extended protocol takes a single statement, with or without values.
      queryMode: 'extended',
      types: { getTypeParser: parserOf },
    } as unknown as QueryConfig),
    timeout: limits.timeout,
    isTooLarge(row) {
      for (const value of row) limits.bytes -= sizeOf(value);
      rows.push(row);
      return rows.length > MAX_ROWS || limits.bytes < 0;
    },
  });
  const columns = fields.map(({ name }) => name);
  const named = rows.map(
    (row): Row => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])),
  );
  const changed = CHANGING.includes(command) ? (rowCount ?? 0) : 0;
  return { rows: named, columns, rowCount: columns.length > 0 ? rows.length : changed };
}

interface CommandResult {
  fields: readonly { name: string }[];
  command: string;
  rowCount: number | null;
}

interface Notice {
  code?: string | undefined;
  message?: string | undefined;
}

interface RunOptions {
  query: Query;
  timeout: number;
  /** Is called with each row, and tells whether the result is too large with it. */
  isTooLarge(row: SqlValue[]): boolean;
}

function runQuery(
  session: PostgresSession,
  { query, timeout, isTooLarge }: RunOptions,
): Promise<CommandResult> {
  const { stream } = session.client.connection;
  return new Promise((resolve, reject) => {
    let received = 0;
    let refused: NotAllowed | undefined;
    const refuse = ({ code, message }: Notice) => {
      if (code !== undefined && WITHOUT_EFFECT.includes(code)) refused = new NotAllowed(String(message));
    };
    const settle = (act: () => void) => {
      clearTimeout(timer);
      stream.off('data', count);
      session.client.off('notice', refuse);
      act();
    };
    const abort = (reason: Error) => {
      session.destroy();
      settle(() => reject(reason));
    };
    const count = (data: Buffer) => {
      received += data.length;
      if (received > MAX_RECEIVED) abort(tooManyRows());
    };
    const timer = setTimeout(() => {
      const cause = new Error(`PostgreSQL has not answered for ${timeout} ms.`);
      abort(new ConnectionLost(cause, { timedOut: true }));
    }, timeout);
    stream.on('data', count);
    session.client.on('notice', refuse);
    query.on('row', (row) => {
      if (!session.lost && isTooLarge(row)) abort(tooManyRows());
    });
    query.on('error', (error) => {
      if (endsConnection(error)) session.lost = true;
      settle(() => reject(session.lost ? new ConnectionLost(error) : error));
    });
    query.on('end', (result) =>
      settle(() => (refused ? reject(refused) : resolve(result as unknown as CommandResult))),
    );
    session.client.query(query);
  });
}
