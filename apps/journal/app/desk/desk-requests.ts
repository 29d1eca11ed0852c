import { type FabricaClient, FabricaError, type ProjectRequest } from '@fabrica/client';

/** What a route of the desk responds with: what this function of the server returns. */
export type ResponseOf<Act extends (...given: never[]) => unknown> = Awaited<ReturnType<Act>>;

interface DeskRequestOptions extends Pick<ProjectRequest, 'json' | 'text' | 'keepalive'> {
  /** Fields without a value are left out. */
  query?: object;
  /** The version of the row that the caller has seen. */
  version?: number | undefined;
  /** The media type of a `text`. */
  type?: string;
}

/** Sends requests below `/api/desk/{projectId}`. They throw the errors of the client. */
type SendDeskRequest = <Response>(
  method: ProjectRequest['method'],
  path: string,
  options?: DeskRequestOptions,
) => Promise<Response>;

type Requests = Pick<FabricaClient, 'projectId' | 'request'>;

export function createSendDeskRequest(client: Requests): SendDeskRequest {
  return async <Response>(
    method: ProjectRequest['method'],
    path: string,
    { query = {}, version, type, ...content }: DeskRequestOptions = {},
  ) =>
    (await client.request({
      ...content,
      method,
      path: deskUrl(client, path),
      query: parameters(query),
      headers: {
        ...(version !== undefined && { 'if-match': `"${version}"` }),
        ...(type !== undefined && { 'content-type': type }),
      },
    })) as Response;
}

export function deskUrl({ projectId }: Pick<FabricaClient, 'projectId'>, path: string): string {
  return `/api/desk/${encodeURIComponent(projectId)}${path}`;
}

/** Writes a path with each of its values encoded. */
export function pathOf(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent));
}

function parameters(query: object): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

/** Returns a detail of the error of a stale copy, or `undefined` for any other error. */
export function detailOf<T>(error: unknown, name: string): T | undefined {
  if (!(error instanceof FabricaError) || error.status !== 412) return undefined;
  return (error.details as Record<string, T | undefined> | undefined)?.[name];
}
