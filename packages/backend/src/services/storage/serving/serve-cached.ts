import type { ReadRequestIds } from '../../../http/observed/request-ids.ts';
import type { PlainRequest } from '../../../http/plain-exchange.ts';
import type { LogRequest } from '../../../http/request-log.ts';
import { matchesEtag } from './send-blob.ts';
import { pathAndQuery, type VariantCache, variantCacheKey } from './variant-cache.ts';

/** Returns undefined for a request that the routes have to serve. */
export type ServeCached = (request: PlainRequest) => Response | undefined;

/** Returns a function that serves cached variants without the routes or the database, and logs each request as they do. */
export function createServeCached(
  cache: VariantCache,
  { requestIds, logRequest }: { requestIds: ReadRequestIds; logRequest: LogRequest },
): ServeCached {
  return ({ method, url, header }) => {
    if (method !== 'GET' || header('range') !== undefined) return undefined;
    const started = performance.now();
    const path = pathAndQuery(url);
    const variant = cache.get(variantCacheKey(path, header('accept')));
    if (!variant) return undefined;
    const ids = requestIds(header);
    const isUnchanged = matchesEtag(header('if-none-match'), variant.etag);
    const status = isUnchanged ? 304 : 200;
    logRequest({ ...ids, method, path: path.slice(0, path.indexOf('?')), status, started });
    const headers: Record<string, string> = { ...variant.headers, 'x-request-id': ids.requestId };
    if (isUnchanged) delete headers['content-length'];
    return new Response(isUnchanged ? null : variant.body, { status, headers });
  };
}
