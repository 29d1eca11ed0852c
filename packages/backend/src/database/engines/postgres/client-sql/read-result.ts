import { Query, type QueryConfig } from 'pg';
import type { Row } from '../../../../core/bus.ts';
import {
  MOST_BYTES,
  MOST_ROWS,
  type SqlRows,
  type SqlStatement,
  type SqlValue,
} from '../../../sql/statement-batch.ts';
import { tooManyRows } from '../../../sql/statement-error.ts';
import { ConnectionLost, endsConnection } from '../postgres-error.ts';
import type { Session } from '../sessions/session.ts';
import { parserOf, weightOf } from './sql-value.ts';

/** Rows that are asked for at a time: what is too much is noticed before all of it has come. */
const PORTION = 200;

/** What changes rows, as the server calls it. */
const CHANGING: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

/** Bytes that a portion may have: `pg` keeps all of a row before it hands it on, and a row may have a gigabyte. */
const MOST_RECEIVED = 4 * MOST_BYTES;

export interface ReadLimits {
  /** Bytes that may still be answered. */
  bytes: number;
  /** Milliseconds after which a server that says nothing hangs. */
  patience: number;
}

/** Runs one statement of a client. Throws NotAllowed for too long an answer, ConnectionLost, and what the server says. */
export async function readRows(
  session: Session,
  { sql, parameters }: SqlStatement,
  limits: ReadLimits,
): Promise<SqlRows> {
  const rows: SqlValue[][] = [];
  let excess = false;
  const { fields, command, rowCount } = await perform(session, {
    query: portionedQuery(sql, parameters, () => excess),
    patience: limits.patience,
    onRow(row) {
      for (const value of row) limits.bytes -= weightOf(value);
      excess ||= rows.length >= MOST_ROWS || limits.bytes < 0;
      if (!excess) rows.push(row);
    },
  });
  if (excess) throw tooManyRows();
  const columns = fields.map(({ name }) => name);
  const named = rows.map(
    (row): Row => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])),
  );
  const changed = CHANGING.includes(command) ? (rowCount ?? 0) : 0;
  return { rows: named, columns, rowCount: columns.length > 0 ? rows.length : changed };
}

/** A query of `pg` that fetches some rows at a time, and no more of them once there are enough. */
function portionedQuery(text: string, values: readonly SqlValue[], enough: () => boolean): Query {
  const config = {
    text,
    values: [...values],
    rowMode: 'array',
    // With values or without, the server takes it for one statement.
    queryMode: 'extended',
    rows: PORTION,
    types: { getTypeParser: parserOf },
  };
  const query = new Query(config as unknown as QueryConfig) as Query & ErrorHandler;
  const handleError = query.handleError.bind(query);
  return Object.assign(query, {
    handleError(error: Error, connection: PortalConnection) {
      // The server says nothing more until it is asked to, and `pg` does not ask while there may be more rows.
      if (connection.stream.writable) connection.sync();
      handleError(error, connection);
    },
    handlePortalSuspended(connection: PortalConnection) {
      if (enough()) return connection.sync();
      connection.execute({ portal: '', rows: PORTION });
      connection.flush();
    },
  });
}

/** What `pg` does not declare of its queries … */
interface ErrorHandler {
  handleError(error: Error, connection: PortalConnection): void;
}

/** … and connections. */
interface PortalConnection {
  stream: { writable: boolean };
  execute(portal: { portal: string; rows: number }): void;
  flush(): void;
  sync(): void;
}

interface Answer {
  fields: readonly { name: string }[];
  command: string;
  rowCount: number | null;
}

interface Performance {
  query: Query;
  patience: number;
  onRow(row: SqlValue[]): void;
}

function perform(session: Session, { query, patience, onRow }: Performance): Promise<Answer> {
  const { stream } = session.client.connection;
  return new Promise((resolve, reject) => {
    let received = 0;
    const settle = (act: () => void) => {
      clearTimeout(timer);
      stream.off('data', count);
      act();
    };
    const giveUp = (reason: Error) => {
      session.giveUp();
      settle(() => reject(reason));
    };
    const count = (data: Buffer) => {
      received += data.length;
      if (received > MOST_RECEIVED) giveUp(tooManyRows());
    };
    const timer = setTimeout(() => {
      const cause = new Error(`PostgreSQL has not answered for ${patience} ms.`);
      giveUp(new ConnectionLost(cause, { gaveUp: true }));
    }, patience);
    stream.on('data', count);
    query.on('row', onRow);
    query.on('error', (error) => {
      if (endsConnection(error)) session.lost = true;
      settle(() => reject(session.lost ? new ConnectionLost(error) : error));
    });
    query.on('end', (result) => settle(() => resolve(result as unknown as Answer)));
    session.client.query(query);
  });
}
