import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StandInServer {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  close(): Promise<void>;
}

type Endpoint = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts a server with endpoints by path on a free port of this machine. */
export async function startStandInServer(endpoints: Record<string, Endpoint>): Promise<StandInServer> {
  const server = createServer(async (request, response) => {
    const endpoint = endpoints[new URL(request.url ?? '', 'http://stand-in').pathname];
    if (!endpoint) return sendJson(response, { message: 'Not Found' }, 404);
    await endpoint(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function readQuery(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? '', 'http://stand-in').searchParams;
}

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/** Redirects the browser to its `redirect_uri`. */
export function sendBack(
  response: ServerResponse,
  query: URLSearchParams,
  parameters: Record<string, string>,
): void {
  const back = new URL(query.get('redirect_uri') ?? '');
  for (const [name, value] of Object.entries(parameters)) back.searchParams.set(name, value);
  response.writeHead(303, { location: back.href }).end();
}
