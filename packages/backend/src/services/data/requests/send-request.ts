import type { Fetched } from '@fabrica/contract';
import type { fetchRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { Gate, GuardedFetcher } from '../../../fetcher/index.ts';
import { isNestedWithin } from '../../../http/body.ts';
import {
  fillInSecrets,
  hasPlaceholder,
  redactSecrets,
  requireMayReceive,
  secretsNamedIn,
} from '../secrets/fill-in-secrets.ts';
import { findSecrets } from '../secrets/secrets.ts';

export type FetchRequest = z.infer<typeof fetchRequest>;

/** Headers that belong to the connection, or say who is calling from where. */
const CONNECTION_HEADERS =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|upgrade|te|trailer|keep-alive|proxy-.*|expect)$/i;

/** Headers of an answer that are about how it came to us, not about what it is. */
const OMITTED_HEADERS =
  /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie)$/;

/** Bodies that are nested deeper than this cannot be written as JSON again, or are meant to do harm. */
const MAX_DEPTH = 100;

const MAX_SECRETS = 20;

export interface RequestDependencies {
  fetcher: GuardedFetcher;
  gate: Gate;
  project: Project;
  secretsKey: Buffer;
}

/** A request that may be sent. Throws what the fetcher throws, and FORBIDDEN when a redirect leads a secret astray. */
export type SendRequest = (signal: AbortSignal) => Promise<Fetched>;

/**
 * Puts together what a user of the project asks for, with the secrets that it names filled in; nothing is sent yet.
 * Throws INVALID_URL; VALIDATION_FAILED for a secret that there is not, or in a place where none may stand; FORBIDDEN
 * when one would go where it may not.
 */
export async function prepareRequest(
  request: FetchRequest,
  { fetcher, gate, project, secretsKey }: RequestDependencies,
): Promise<SendRequest> {
  const { address, query } = splitUrl(request.url);
  const { headers, body } = request;
  if (!isNestedWithin(body, MAX_DEPTH)) {
    throw new AppError('VALIDATION_FAILED', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  }
  const values = query.map(([, value]) => value);
  const named = secretsNamedIn([values, request.query, headers, body]);
  if (named.length > MAX_SECRETS) {
    throw new AppError('VALIDATION_FAILED', `A request may name ${MAX_SECRETS} secrets at most.`);
  }
  const secrets = await findSecrets(project, secretsKey, named);
  const url = addressOf(address, [
    ...query.map(([name, value]): [string, string] => [name, fillInSecrets(value, secrets)]),
    ...pairsOf(fillInSecrets(request.query ?? {}, secrets)),
  ]);
  const message = sent(fillInSecrets(headers ?? {}, secrets), fillInSecrets(body, secrets));
  const onHop = (hop: URL) => requireMayReceive(hop, secrets, (place) => gate.isListed(place));
  onHop(url);
  return async (signal) => {
    const started = performance.now();
    const method = request.method ?? 'GET';
    const answer = await fetcher.fetch(url, { method, ...message, signal, onHop });
    const shown = (text: string) => redactSecrets(text, secrets);
    return {
      status: answer.status,
      headers: Object.fromEntries(
        Object.entries(answer.headers)
          .filter(([name]) => !OMITTED_HEADERS.test(name))
          .map(([name, value]) => [shown(name), shown(value)]),
      ),
      body: present(new TextDecoder().decode(answer.body), answer.headers['content-type'], shown),
      durationMs: Math.round(performance.now() - started),
    };
  };
}

/**
 * An address, and what its query says where that names a secret; other queries are left as they are written. A secret
 * in the path would be found in logs of servers and proxies, and is refused.
 */
function splitUrl(given: string): { address: URL; query: [string, string][] } {
  const address = URL.parse(given);
  if (!address) {
    throw new AppError('INVALID_URL', 'This is no address that begins with http:// or https://.');
  }
  const [before = ''] = given.split('?', 1);
  if (hasPlaceholder(before) || hasPlaceholder(address.hash)) {
    throw new AppError(
      'VALIDATION_FAILED',
      'A secret may stand in the query, the headers or the body, and nowhere else in the address.',
    );
  }
  const query = [...address.searchParams];
  if (!query.some(([, value]) => hasPlaceholder(value))) return { address, query: [] };
  address.search = '';
  return { address, query };
}

function pairsOf(fields: Record<string, string | number | boolean>): [string, string][] {
  return Object.entries(fields).map(([name, value]) => [name, String(value)]);
}

function addressOf(address: URL, query: [string, string][]): URL {
  if (query.length === 0) return address;
  const url = new URL(address);
  url.search = [url.search.slice(1), new URLSearchParams(query).toString()].filter(Boolean).join('&');
  return url;
}

function sent(given: Record<string, string | number | boolean>, body: unknown) {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(String(value))) {
      throw new AppError('VALIDATION_FAILED', `"${name.slice(0, 60)}" is not a header that can be sent.`);
    }
    if (!CONNECTION_HEADERS.test(name)) headers[name.toLowerCase()] = String(value);
  }
  if (body === undefined || body === null) return { headers };
  if (typeof body === 'string') return { headers, body };
  return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** JSON is parsed before secrets are looked for in it: it may be written in more than one way. */
function present(text: string, contentType = '', shown: (text: string) => string): unknown {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return shown(text);
  const value = parseJson(text);
  if (value === undefined || !isNestedWithin(value, MAX_DEPTH)) return shown(text);
  const written = shown(JSON.stringify(value));
  const again = parseJson(written);
  return again === undefined ? written : again;
}

/** Undefined for what is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
