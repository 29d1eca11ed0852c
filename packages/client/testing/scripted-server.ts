import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  text: string;
  /** The parsed body; null when it is no JSON. */
  json: Record<string, unknown> | null;
  bearer: string | undefined;
}

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
}

type Script = (request: RecordedRequest) => ScriptedAnswer | 'hang up' | Promise<ScriptedAnswer | 'hang up'>;

/**
 * A scripted backend: a real HTTP server that answers as the wire contract says, word for word from
 * the test. A call that no script expects is answered 500 and makes `close` throw.
 */
export class ScriptedServer {
  readonly requests: RecordedRequest[] = [];
  readonly #scripts = new Map<string, Script>();
  readonly #unplanned: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      // A caller that gave up in the middle of its body is no call.
      const recorded = await record(request).catch(() => null);
      if (!recorded) return;
      this.requests.push(recorded);
      const answer = await this.#answer(recorded);
      if (answer === 'hang up') {
        response.destroy();
        return;
      }
      const { status = 200, headers = {}, body } = answer;
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
      response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  static async start(): Promise<ScriptedServer> {
    const backend = new ScriptedServer();
    await new Promise<void>((resolve) => backend.#server.listen(0, '127.0.0.1', resolve));
    return backend;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** `route` is `POST /api/auth/refresh`; a later script takes the place of an earlier one. */
  on(route: string, script: Script | ScriptedAnswer): void {
    this.#scripts.set(route, typeof script === 'function' ? script : () => script);
  }

  calls(route: string): RecordedRequest[] {
    return this.requests.filter(({ method, path }) => `${method} ${path}` === route);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    if (this.#unplanned.length)
      throw new Error(`Calls that no script expects: ${this.#unplanned.join(', ')}`);
  }

  #answer(request: RecordedRequest): ReturnType<Script> {
    const route = `${request.method} ${request.path}`;
    const script = this.#scripts.get(route);
    if (script) return script(request);
    this.#unplanned.push(route);
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
