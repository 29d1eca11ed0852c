import type { Logger } from 'pino';
import { anonymous, type Caller } from '../../../core/caller.ts';
import { AppError, isOurFault } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { CompressResponse } from '../../../http/compression.ts';
import { corsHeaders, type OriginLists } from '../../../http/cors.ts';
import type { ReadRequestIds } from '../../../http/observed/request-ids.ts';
import type { PlainRequest, PlainResponse } from '../../../http/plain-exchange.ts';
import { presentPlainError } from '../../../http/present-error.ts';
import type { LogRequest } from '../../../http/request-log.ts';
import type { TablesOf } from './project-tables.ts';
import { whenReady } from './read-page.ts';
import { respondToRead } from './respond-to-read.ts';

/** Serves a read of a table as the routes do, and logs it. Returns undefined for any other request. */
export type ServeRead = (
  request: PlainRequest,
  options?: ReadServiceOptions,
) => PlainResponse | Promise<PlainResponse> | undefined;

export interface ReadServiceOptions {
  /** The level that it is logged at; by default, `info`. */
  level?: 'info' | 'debug';
  /** See ReadOptions. */
  page?: object;
}

export interface ServeReadOptions {
  projects: ReadonlyMap<string, Project>;
  tablesOf: TablesOf;
  /** Returns the caller of an Authorization header; throws or rejects when it is invalid. */
  authenticate(authorization: string, project: Project): Caller | Promise<Caller>;
  origins: OriginLists;
  compress: CompressResponse;
  requestIds: ReadRequestIds;
  log: Logger;
  logRequest: LogRequest;
}

/** Matches the URL of a table that needs no decoding; the routes serve all others. */
const TABLE_URL = /^(\/api\/db\/([a-z0-9_-]+)\/rest\/v1\/(\w+))(?:\?[!"$-~]*)?$/;

interface TablePath {
  path: string;
  projectId: string;
  table: string;
}

/**
 * Creates the fast path of reads, which are most requests: it needs no router, Request or Response. The functions of
 * the routes' middleware are applied here too.
 */
export function createServeRead({
  projects,
  tablesOf,
  authenticate,
  origins,
  compress,
  requestIds,
  log,
  logRequest,
}: ServeReadOptions): ServeRead {
  function read(
    request: PlainRequest,
    { projectId, table }: TablePath,
    page: object | undefined,
  ): PlainResponse | Promise<PlainResponse> {
    const project = projects.get(projectId);
    if (!project) throw new AppError('PROJECT_NOT_FOUND', 'There is no project of this id here.');
    const authorization = request.header('authorization');
    const caller = authorization === undefined ? anonymous : authenticate(authorization, project);
    return whenReady(caller, (authenticated) =>
      respondToRead({ project, tables: tablesOf(project), caller: authenticated, table, request, page }),
    );
  }

  return (request, { level, page } = {}) => {
    const { method, header } = request;
    const target = method === 'GET' || method === 'HEAD' ? parseTablePath(request.url) : undefined;
    if (!target) return undefined;
    const { path, projectId } = target;
    const started = performance.now();
    const ids = requestIds(header);

    const fail = (error: unknown): PlainResponse => {
      if (isOurFault(error)) log.error({ ...ids, path, err: error });
      return presentPlainError(error, path);
    };
    const finish = (response: PlainResponse): PlainResponse => {
      logRequest({ ...ids, method, path, status: response.status, started }, level);
      const { vary } = response.headers;
      const cors = corsHeaders(request, origins.of(projectId));
      const headers = {
        ...response.headers,
        'x-request-id': ids.requestId,
        'x-content-type-options': 'nosniff',
        ...cors,
        ...(vary && cors.vary && { vary: `${vary}, ${cors.vary}` }),
      };
      return { ...response, headers };
    };
    const settle = (response: PlainResponse) =>
      whenReady(compress(response, header('accept-encoding')), finish);

    try {
      const response = read(request, target, page);
      return response instanceof Promise ? response.catch(fail).then(settle) : settle(response);
    } catch (error) {
      return settle(fail(error));
    }
  };
}

function parseTablePath(url: string): TablePath | undefined {
  const [, path, projectId, table] = TABLE_URL.exec(url) ?? [];
  return path && projectId && table ? { path, projectId, table } : undefined;
}
