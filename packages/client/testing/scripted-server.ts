import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  text: string;
  /** The parsed body; null if it is not JSON. */
  json: Record<string, unknown> | null;
  bearer: string | undefined;
}

export interface ScriptedResponse {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
}

type Script = (
  request: RecordedRequest,
) => ScriptedResponse | 'hang up' | Promise<ScriptedResponse | 'hang up'>;

/**
 * A real HTTP server whose responses a test scripts. A request without a script gets a 500 and makes `close` throw.
 */
export class ScriptedServer {
  readonly requests: RecordedRequest[] = [];
  readonly #scripts = new Map<string, Script>();
  readonly #unexpected: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      // A caller that aborts while it sends its body makes no request.
      const recorded = await record(request).catch(() => null);
      if (!recorded) return;
      this.requests.push(recorded);
      const scripted = await this.#respond(recorded);
      if (scripted === 'hang up') {
        response.destroy();
        return;
      }
      const { status = 200, headers = {}, body } = scripted;
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
      response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Scripts a route such as `POST /api/auth/refresh`. A later script replaces an earlier one. */
  on(route: string, script: Script | ScriptedResponse): void {
    this.#scripts.set(route, typeof script === 'function' ? script : () => script);
  }

  calls(route: string): RecordedRequest[] {
    return this.requests.filter(({ method, path }) => `${method} ${path}` === route);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    if (this.#unexpected.length) throw new Error(`Requests without a script: ${this.#unexpected.join(', ')}`);
  }

  #respond(request: RecordedRequest): ReturnType<Script> {
    const route = `${request.method} ${request.path}`;
    const script = this.#scripts.get(route);
    if (script) return script(request);
    this.#unexpected.push(route);
    return { status: 500, body: { error: 'No script expects this.', code: 'INTERNAL_ERROR' } };
  }
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://scripted');
  const isJson = request.headers['content-type']?.startsWith('application/json');
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    text,
    json: isJson ? (JSON.parse(text) as Record<string, unknown>) : null,
    bearer: request.headers.authorization?.replace(/^Bearer /, ''),
  };
}
