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

/** Rows that are fetched at a time: a result that is too large is noticed before all of it was received. */
const PORTION = 200;

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

/** Runs one statement of a client. Throws NotAllowed for too large a result, ConnectionLost, and errors of the server. */
export async function readStatementResult(
  session: PostgresSession,
  { sql, parameters }: SqlStatement,
  limits: ReadLimits,
): Promise<SqlRows> {
  const rows: SqlValue[][] = [];
  let excess = false;
  const { fields, command, rowCount } = await runQuery(session, {
    query: portionedQuery(sql, parameters, () => excess),
    timeout: limits.timeout,
    onRow(row) {
      for (const value of row) limits.bytes -= sizeOf(value);
      excess ||= rows.length >= MAX_ROWS || limits.bytes < 0;
      if (!excess) rows.push(row);
    },
  });
  if (excess) throw tooManyRows();
  const columns = fields.map(({ name }) => name);
  const named = rows.map(
    (row): Row => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])),
  );
  const changed = CHANGING.includes(command) ? (rowCount ?? 0) : 0;
  return { rows: named, columns, rowCount: columns.length > 0 ? rows.length : changed };
}

/** Returns a query of `pg` that fetches some rows at a time until `isEnough` returns true. */
function portionedQuery(text: string, values: readonly SqlValue[], isEnough: () => boolean): Query {
  const config = {
    text,
    values: [...values],
    rowMode: 'array',
    // The extended protocol takes a single statement, with or without values.
    queryMode: 'extended',
    rows: PORTION,
    types: { getTypeParser: parserOf },
  };
  const query = new Query(config as unknown as QueryConfig) as Query & ErrorHandler;
  const handleError = query.handleError.bind(query);
  return Object.assign(query, {
    handleError(error: Error, connection: PortalConnection) {
      // After an error, the server waits for a Sync, which `pg` does not send while there may be more rows.
      if (connection.stream.writable) connection.sync();
      handleError(error, connection);
    },
    handlePortalSuspended(connection: PortalConnection) {
      if (isEnough()) return connection.sync();
      connection.execute({ portal: '', rows: PORTION });
      connection.flush();
    },
  });
}

/** A method of queries that the types of `pg` do not declare. */
interface ErrorHandler {
  handleError(error: Error, connection: PortalConnection): void;
}

/** Methods of connections that the types of `pg` do not declare. */
interface PortalConnection {
  stream: { writable: boolean };
  execute(portal: { portal: string; rows: number }): void;
  flush(): void;
  sync(): void;
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
  onRow(row: SqlValue[]): void;
}

function runQuery(session: PostgresSession, { query, timeout, onRow }: RunOptions): Promise<CommandResult> {
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
    query.on('row', onRow);
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
