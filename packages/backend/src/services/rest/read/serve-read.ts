import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { anonymous, type Caller } from '../../../core/caller.ts';
import { AppError, isOurFault } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { CompressResponse } from '../../../http/compression.ts';
import { corsHeaders, type OriginLists } from '../../../http/cors.ts';
import type { PlainRequest, PlainResponse } from '../../../http/plain-exchange.ts';
import { presentPlainError } from '../../../http/present-error.ts';
import { requestLine } from '../../../http/request-context.ts';
import { whenReady } from '../../../runtime/when-ready.ts';
import type { TablesOf } from './project-tables.ts';
import { respondToRead } from './respond-to-read.ts';

/** Answers a read of a table as the routes do, and logs it. Undefined for any other request: the routes know. */
export type ServeRead = (request: PlainRequest) => PlainResponse | Promise<PlainResponse> | undefined;

export interface ServeReadOptions {
  projects: ReadonlyMap<string, Project>;
  tablesOf: TablesOf;
  /** Who sends this Authorization header; throws or rejects when it is not good. */
  authenticate(authorization: string, project: Project): Caller | Promise<Caller>;
  origins: OriginLists;
  compress: CompressResponse;
  log: Logger;
}

/** A table's address without anything that would have to be decoded; any other is for the routes. */
const ADDRESS = /^(\/api\/db\/([a-z0-9_-]+)\/rest\/v1\/(\w+))(?:\?[!"$-~]*)?$/;

interface Address {
  path: string;
  projectId: string;
  table: string;
}

/**
 * Reads over REST are most of what is asked: they are answered before there is a router, a Request or a Response. What
 * the routes' middleware does to an answer is done here, by the same functions.
 */
export function createServeRead({
  projects,
  tablesOf,
  authenticate,
  origins,
  compress,
  log,
}: ServeReadOptions): ServeRead {
  function read(
    request: PlainRequest,
    { projectId, table }: Address,
  ): PlainResponse | Promise<PlainResponse> {
    const project = projects.get(projectId);
    if (!project) throw new AppError('PROJECT_NOT_FOUND', 'There is no project of this id here.');
    const authorization = request.header('authorization');
    const caller = authorization === undefined ? anonymous : authenticate(authorization, project);
    return whenReady(caller, (known) =>
      respondToRead({ project, tables: tablesOf(project), caller: known, table, request }),
    );
  }

  return (request) => {
    const { method, header } = request;
    const address = method === 'GET' || method === 'HEAD' ? parseAddress(request.url) : undefined;
    if (!address) return undefined;
    const { path, projectId } = address;
    const started = performance.now();
    const requestId = randomUUID();

    const fail = (error: unknown): PlainResponse => {
      if (isOurFault(error)) log.error({ requestId, path, err: error });
      return presentPlainError(error, path);
    };
    const finish = (answer: PlainResponse): PlainResponse => {
      log.info(requestLine({ requestId, method, path, status: answer.status, started }));
      const { vary } = answer.headers;
      const readers = corsHeaders(request, origins.of(projectId));
      const headers = {
        ...answer.headers,
        'x-request-id': requestId,
        'x-content-type-options': 'nosniff',
        ...readers,
        ...(vary && readers.vary && { vary: `${vary}, ${readers.vary}` }),
      };
      return { ...answer, headers };
    };
    const settle = (answer: PlainResponse) => whenReady(compress(answer, header('accept-encoding')), finish);

    try {
      const answer = read(request, address);
      return answer instanceof Promise ? answer.catch(fail).then(settle) : settle(answer);
    } catch (error) {
      return settle(fail(error));
    }
  };
}

function parseAddress(url: string): Address | undefined {
  const [, path, projectId, table] = ADDRESS.exec(url) ?? [];
  return path && projectId && table ? { path, projectId, table } : undefined;
}
