import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as data, for what answers without the routes: neither a body nor a stream is in it. */
export interface PlainRequest {
  method: string;
  /** With its origin or without. */
  url: string;
  /** Names in lower case. */
  header(name: string): string | undefined;
}

/** An answer as data. */
export interface PlainResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Text is sent as UTF-8. */
  body: string | Uint8Array<ArrayBuffer>;
}

/** Names and addresses that need no parser to be sure of them; an IPv6 address does. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::\d{1,5})?$/i;

/**
 * Node's request as data. Undefined for one that only the whole of HTTP knows how to read: with a body, without a host,
 * or with two different tokens.
 */
export function readPlainRequest(incoming: IncomingMessage): PlainRequest | undefined {
  const { headers, method = '', url = '' } = incoming;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return undefined;
  if (!PLAIN_HOST.test(headers.host ?? '')) return undefined;
  if (headers.authorization !== undefined && hasTwice(incoming, 'authorization')) return undefined;
  return { method, url, header: (name) => headers[name]?.toString() };
}

/** Of some headers Node passes over the second one. */
function hasTwice({ rawHeaders }: IncomingMessage, name: string): boolean {
  const isNamed = (text: string, at: number) => at % 2 === 0 && text.toLowerCase() === name;
  return rawHeaders.filter(isNamed).length > 1;
}

/** Sends an answer; to a HEAD request, without its body. Whoever has gone away gets nothing. */
export function sendPlainResponse(outgoing: ServerResponse, { status, headers, body }: PlainResponse): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

/** The same answer for the routes. */
export function toResponse({ status, headers, body }: PlainResponse): Response {
  return new Response(body, { status, headers });
}
