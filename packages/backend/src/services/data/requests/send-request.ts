import type { Fetched } from '@fabrica/contract';
import type { fetchRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { KeyRing } from '../../../core/key-ring.ts';
import type { Project } from '../../../database/project.ts';
import type { Gate, GuardedFetcher } from '../../../fetcher/index.ts';
import { isNestedWithin } from '../../../http/body.ts';
import { decodeDeclared } from '../documents/decode-text.ts';
import {
  fillInSecrets,
  hasPlaceholder,
  redactSecrets,
  requireMayReceive,
  secretsNamedIn,
} from '../secrets/fill-in-secrets.ts';
import { findSecrets } from '../secrets/secrets.ts';

type FetchRequest = z.infer<typeof fetchRequest>;

/** Headers of the connection, or that identify the caller. */
const CONNECTION_HEADERS =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|upgrade|te|trailer|keep-alive|proxy-.*|expect)$/i;

/** Headers of a response that describe the transfer rather than the content. */
const OMITTED_HEADERS =
  /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie)$/;

/** Levels of a body at most. Deeper ones cannot be written as JSON again, or are meant to do harm. */
const MAX_DEPTH = 100;

const MAX_SECRETS = 20;

interface RequestDependencies {
  fetcher: GuardedFetcher;
  gate: Gate;
  project: Project;
  secretsKeys: KeyRing;
  /** The account whose look-ups the request's are counted among. */
  account: string | undefined;
}

/** Sends a request. Throws what the fetcher throws, and FORBIDDEN when a redirect leads a secret to another host. */
type SendRequest = (signal: AbortSignal) => Promise<Fetched>;

/**
 * Prepares a request of a user with the secrets that it names filled in, and sends nothing yet. Throws INVALID_URL,
 * VALIDATION_FAILED for an unknown secret or one in a part where none is allowed, and FORBIDDEN for a secret that may
 * not go to the host.
 */
export async function prepareRequest(
  request: FetchRequest,
  { fetcher, gate, project, secretsKeys, account }: RequestDependencies,
): Promise<SendRequest> {
  const { base, query } = splitUrl(request.url);
  const { headers, body } = request;
  if (!isNestedWithin(body, MAX_DEPTH)) {
    throw new AppError('VALIDATION_FAILED', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  }
  const values = query.map(([, value]) => value);
  const named = secretsNamedIn([values, request.query, headers, body]);
  if (named.length > MAX_SECRETS) {
    throw new AppError('VALIDATION_FAILED', `A request may name ${MAX_SECRETS} secrets at most.`);
  }
  const secrets = await findSecrets(project, secretsKeys, named);
  const url = withQuery(base, [
    ...query.map(([name, value]): [string, string] => [name, fillInSecrets(value, secrets)]),
    ...pairsOf(fillInSecrets(request.query ?? {}, secrets)),
  ]);
  const message = buildMessage(fillInSecrets(headers ?? {}, secrets), fillInSecrets(body, secrets));
  const onHop = (hop: URL) => requireMayReceive(hop, secrets, (url) => gate.isListed(url));
  onHop(url);
  return async (signal) => {
    const started = performance.now();
    const method = request.method ?? 'GET';
    const response = await fetcher.fetch(url, { method, ...message, signal, account, onHop });
    const redact = (text: string) => redactSecrets(text, secrets);
    const contentType = response.headers['content-type'];
    return {
      status: response.status,
      headers: Object.fromEntries(
        Object.entries(response.headers)
          .filter(([name]) => !OMITTED_HEADERS.test(name))
          .map(([name, value]) => [redact(name), redact(value)]),
      ),
      body: presentBody(decodeDeclared(response.body, contentType), contentType, redact),
      durationMs: Math.round(performance.now() - started),
    };
  };
}

/**
 * Splits a URL from a query that names a secret; other queries stay as they are. A secret in the path would appear in
 * logs of servers and proxies, and is refused.
 */
function splitUrl(given: string): { base: URL; query: [string, string][] } {
  const base = URL.parse(given);
  if (!base) {
    throw new AppError('INVALID_URL', 'This is no address that begins with http:// or https://.');
  }
  const [before = ''] = given.split('?', 1);
  if (hasPlaceholder(before) || hasPlaceholder(base.hash)) {
    throw new AppError(
      'VALIDATION_FAILED',
      'A secret may stand in the query, the headers or the body, and nowhere else in the address.',
    );
  }
  const query = [...base.searchParams];
  if (!query.some(([, value]) => hasPlaceholder(value))) return { base, query: [] };
  base.search = '';
  return { base, query };
}

function pairsOf(fields: Record<string, string | number | boolean>): [string, string][] {
  return Object.entries(fields).map(([name, value]) => [name, String(value)]);
}

function withQuery(base: URL, query: [string, string][]): URL {
  if (query.length === 0) return base;
  const url = new URL(base);
  url.search = [url.search.slice(1), new URLSearchParams(query).toString()].filter(Boolean).join('&');
  return url;
}

function buildMessage(given: Record<string, string | number | boolean>, body: unknown) {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(String(value))) {
      throw new AppError(
        'VALIDATION_FAILED',
        `"${name.slice(0, 60)}" is not a header that can be buildMessage.`,
      );
    }
    if (!CONNECTION_HEADERS.test(name)) headers[name.toLowerCase()] = String(value);
  }
  if (body === undefined || body === null) return { headers };
  if (typeof body === 'string') return { headers, body };
  return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/**
 * Returns a body without secrets. JSON is parsed before secrets are looked for in it, because it may be written in more
 * than one way.
 */
function presentBody(text: string, contentType = '', redact: (text: string) => string): unknown {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return redact(text);
  const value = parseJson(text);
  if (value === undefined || !isNestedWithin(value, MAX_DEPTH)) return redact(text);
  const redacted = redact(JSON.stringify(value));
  const reparsed = parseJson(redacted);
  return reparsed === undefined ? redacted : reparsed;
}

/** Returns `undefined` for text that is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
