import { toCamelCase, toSnakeCase } from '@fabrica/contract';
import { randomText } from '../browser/window.ts';
import { FabricaError, NetworkError, ValidationError } from '../http/errors.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../http/http.ts';
import { buildQuery, type QueryOptions } from './build-query.ts';
import type { Where } from './where.ts';

export interface TablePageOptions<Row, Column extends keyof Row> extends QueryOptions<Row, Column> {
  /** Also counts all matching rows, not only those of this page. */
  count?: boolean | undefined;
}

export interface TablePage<Row> {
  rows: Row[];
  /** Null on the last page. */
  nextCursor: string | null;
  /** Null if `count` was not set. */
  count: number | null;
}

export interface UpsertOptions<Row> {
  /** The columns that identify the row. Default: `id`. */
  onConflict?: readonly (keyof Row)[] | undefined;
}

export interface TableOptions {
  /**
   * New rows without an id get one with this prefix, the time and a random part (docs/spec/product.md section 9).
   * Default: the server creates the ids, in the format of each table.
   */
  idPrefix?: string | undefined;
}

/** Reads and writes the rows of one table. Column names are camelCase here and snake_case on the wire. */
export interface TableClient<Row extends object> {
  list<Column extends keyof Row = keyof Row>(
    options?: QueryOptions<Row, Column>,
  ): Promise<Pick<Row, Column>[]>;
  page<Column extends keyof Row = keyof Row>(
    options?: TablePageOptions<Row, Column>,
  ): Promise<TablePage<Pick<Row, Column>>>;
  /** Returns null if there is no such row, or none that the caller may read. */
  get(id: string): Promise<Row | null>;
  count(options?: { where?: Where<Row> | undefined }): Promise<number>;
  /** Returns the stored row with its id and timestamps. */
  create(row: Partial<Row>): Promise<Row>;
  /** Creates all rows or none. */
  createMany(rows: readonly Partial<Row>[]): Promise<Row[]>;
  upsert(row: Partial<Row>, options?: UpsertOptions<Row>): Promise<Row>;
  /**
   * Throws NOT_FOUND if there is no such row, or none that the caller may change. With `where`, the row must also satisfy
   * it: `{ updatedAt }` keeps a change from overwriting a later one.
   */
  update(id: string, changes: Partial<Row>, options?: { where?: Where<Row> | undefined }): Promise<Row>;
  /** Returns false if there was nothing to delete. */
  delete(id: string): Promise<boolean>;
}

interface TableContext {
  http: HttpClient;
  projectId: string;
  now: () => number;
}

export function createTableClient<Row extends object>(
  { http, projectId, now }: TableContext,
  name: string,
  { idPrefix }: TableOptions = {},
): TableClient<Row> {
  const path = `/api/db/${encodeURIComponent(projectId)}/rest/v1/${encodeURIComponent(toSnakeCase(name))}`;
  const send = (request: Omit<HttpRequest, 'service' | 'path'>) =>
    http.request({ service: 'db', path, ...request });
  const withId = (row: Partial<Row>): object =>
    idPrefix !== undefined && !('id' in row && row.id)
      ? { ...row, id: `${idPrefix}${now()}_${randomText()}` }
      : row;

  async function write(row: object | object[], prefer: string, query?: URLSearchParams): Promise<Row[]> {
    const headers = { prefer: [prefer, 'return=representation'].filter(Boolean).join(',') };
    return parseRows(await send({ method: 'POST', json: row, headers, ...(query && { query }) }));
  }

  return {
    list: async (options = {}) => parseRows(await send({ method: 'GET', query: buildQuery(options) })),
    async page({ count, ...options } = {}) {
      const headers = count ? { prefer: 'count=exact' } : {};
      const response = await send({ method: 'GET', query: buildQuery(options), headers });
      return {
        rows: parseRows(response),
        nextCursor: response.headers.get('x-next-cursor'),
        count: count ? parseCount(response) : null,
      };
    },
    async get(id) {
      const query = byId(id);
      query.set('limit', '1');
      return parseRows<Row>(await send({ method: 'GET', query }))[0] ?? null;
    },
    async count({ where } = {}) {
      const query = buildQuery<Row, keyof Row>({ where, limit: 0 });
      query.set('select', 'id');
      return parseCount(await send({ method: 'GET', query, headers: { prefer: 'count=exact' } }));
    },
    create: async (row) => requireRow(await write(rowToWire(withId(row)), '')),
    createMany: async (rows) =>
      rows.length
        ? write(
            rows.map((row) => rowToWire(withId(row))),
            '',
          )
        : [],
    async upsert(row, { onConflict } = {}) {
      const columns = onConflict?.map((column) => toSnakeCase(String(column))) ?? ['id'];
      const query = new URLSearchParams({ on_conflict: columns.join(',') });
      return requireRow(await write(rowToWire(withId(row)), 'resolution=merge-duplicates', query));
    },
    async update(id, changes, { where } = {}) {
      const headers = { prefer: 'return=representation' };
      const query = new URLSearchParams([...byId(id), ...buildQuery<Row, keyof Row>({ where })]);
      const response = await send({ method: 'PATCH', query, json: rowToWire(changes), headers });
      return requireRow(parseRows<Row>(response));
    },
    async delete(id) {
      const response = await send({
        method: 'DELETE',
        query: byId(id),
        headers: { prefer: 'return=representation' },
      });
      return response.body === null || parseRows(response).length > 0;
    },
  };
}

function byId(id: string): URLSearchParams {
  if (!id) throw new ValidationError('An id is required.');
  return new URLSearchParams({ id: `eq.${id}` });
}

function rowToWire(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [toSnakeCase(name), value]));
}

function parseRows<Row>({ body, status }: HttpResponse): Row[] {
  const rows: unknown[] = Array.isArray(body) ? body : [body];
  return rows.map((row) => {
    if (typeof row !== 'object' || row === null) throw new NetworkError({ status });
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [toCamelCase(name), value])) as Row;
  });
}

function requireRow<Row>([row]: Row[]): Row {
  if (!row) throw new FabricaError('NOT_FOUND', 'There is no such row.', { status: 404 });
  return row;
}

/** Returns the total in `Content-Range: 0-23/573`. */
function parseCount({ headers, status }: HttpResponse): number {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  if (total === undefined) throw new NetworkError({ status });
  return Number(total);
}
