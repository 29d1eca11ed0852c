import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { PlainRequest } from '../../../http/plain-exchange.ts';
import { matchesEtag } from './send-blob.ts';
import { pathAndQuery, type VariantCache, variantCacheKey } from './variant-cache.ts';

/** Undefined: the routes know. */
export type ServeCached = (request: PlainRequest) => Response | undefined;

/** Answers with what is kept in memory, before the routes and the database are asked; notes it in the log as they do. */
export function createServeCached(kept: VariantCache, log: Logger): ServeCached {
  return ({ method, url, header }) => {
    if (method !== 'GET' || header('range') !== undefined) return undefined;
    const started = performance.now();
    const address = pathAndQuery(url);
    const variant = kept.get(variantCacheKey(address, header('accept')));
    if (!variant) return undefined;
    const requestId = randomUUID();
    const has = matchesEtag(header('if-none-match'), variant.etag);
    const status = has ? 304 : 200;
    log.info({
      requestId,
      method,
      path: address.slice(0, address.indexOf('?')),
      status,
      ms: Math.round((performance.now() - started) * 10) / 10,
    });
    const headers: Record<string, string> = { ...variant.headers, 'x-request-id': requestId };
    if (has) delete headers['content-length'];
    return new Response(has ? null : variant.body, { status, headers });
  };
}
