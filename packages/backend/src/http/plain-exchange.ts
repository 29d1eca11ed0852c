import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as data, for handlers without a router: it has neither a body nor a stream. */
export interface PlainRequest {
  method: string;
  /** May have an origin or not. */
  url: string;
  /** Names in lower case. */
  header(name: string): string | undefined;
}

/** A response as data. */
export interface PlainResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Text is sent as UTF-8. */
  body: string | Uint8Array<ArrayBuffer>;
}

/** Host names and IPv4 addresses, which need no parser; an IPv6 address does. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::\d{1,5})?$/i;

/**
 * Returns Node's request as data; undefined for one that needs all of HTTP: with a body, without a host, or with two
 * different tokens.
 */
export function readPlainRequest(incoming: IncomingMessage): PlainRequest | undefined {
  const { headers, method = '', url = '' } = incoming;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return undefined;
  if (!PLAIN_HOST.test(headers.host ?? '')) return undefined;
  if (headers.authorization !== undefined && hasTwice(incoming, 'authorization')) return undefined;
  return { method, url, header: (name) => headers[name]?.toString() };
}

/** Tells whether a header came twice: of some, Node ignores the second one. */
function hasTwice({ rawHeaders }: IncomingMessage, name: string): boolean {
  const isNamed = (text: string, at: number) => at % 2 === 0 && text.toLowerCase() === name;
  return rawHeaders.filter(isNamed).length > 1;
}

/** Sends a response; to a HEAD request, without its body. Nothing is sent to a closed connection. */
export function sendPlainResponse(outgoing: ServerResponse, { status, headers, body }: PlainResponse): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

/** Returns the same response for the routes. */
export function toResponse({ status, headers, body }: PlainResponse): Response {
  return new Response(body, { status, headers });
}

/** A response whose body is at hand: it is read without the stream that `Response` makes of each body. */
class ReadResponse extends Response {
  readonly #body: PlainResponse['body'];

  constructor({ status, headers, body }: PlainResponse) {
    super(null, { status, headers });
    this.#body = body;
  }

  override async text(): Promise<string> {
    return typeof this.#body === 'string' ? this.#body : new TextDecoder().decode(this.#body);
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return new Response(this.#body).arrayBuffer();
  }
}

/** Returns the same response for callers within the process, who read it as a whole. */
export function toReadResponse(response: PlainResponse): Response {
  return new ReadResponse(response);
}
