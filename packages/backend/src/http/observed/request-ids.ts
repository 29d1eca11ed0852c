import { randomUUID } from 'node:crypto';

/** The value that names a request in the log. */
export interface RequestIds {
  requestId: string;
  /** The trace that the request belongs to, where a proxy has begun one. */
  traceId?: string;
}

/** Returns the ids of a request with these headers. */
export type ReadRequestIds = (header: (name: string) => string | undefined) => RequestIds;

/** Ids as proxies make them: UUIDs, hexadecimal numbers, and what nginx, HAProxy and the large clouds join of such. */
const REQUEST_ID = /^[\w.:=+/-]{8,128}$/;
/** https://www.w3.org/TR/trace-context/#traceparent-header: ids of zeros alone are invalid, and so is version ff. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/**
 * Creates the function that names requests. The ids of a proxy are taken over, so that its log and ours tell of the same
 * request; without a trusted proxy, these headers are a stranger's, and count for nothing.
 */
export function createRequestIds(trustedProxies: number): ReadRequestIds {
  if (trustedProxies === 0) return () => ({ requestId: randomUUID() });
  return (header) => {
    const given = header('x-request-id');
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
    const traceId = parseTraceparent(header('traceparent'));
    return traceId === undefined ? { requestId } : { requestId, traceId };
  };
}

/** Returns the id of the trace in a `traceparent` header; undefined when there is none, or a malformed one. */
export function parseTraceparent(traceparent: string | undefined): string | undefined {
  return traceparent === undefined ? undefined : TRACEPARENT.exec(traceparent)?.[1];
}
