import type { RequestListener } from 'node:http';
import {
  createBatchedSender,
  type PlainRequest,
  type PlainResponse,
  readPlainRequest,
} from '@fabrica/backend';

/** Returns undefined for a request that it leaves to the app. */
export type ServePlain = (request: PlainRequest) => PlainResponse | Promise<PlainResponse> | undefined;

/**
 * Creates a request listener for what is requested most: reads of tables and pages from the cache are responded to as data,
 * and all other requests are passed to `next`, also one whose response failed.
 */
export function createReadListener(serve: readonly ServePlain[], next: RequestListener): RequestListener {
  const send = createBatchedSender();
  return (incoming, outgoing) => {
    const request = readPlainRequest(incoming);
    for (const respond of request ? serve : []) {
      const response = request && respond(request);
      if (!response) continue;
      if (!(response instanceof Promise)) return send(outgoing, response);
      response.then(
        (settled) => send(outgoing, settled),
        () => next(incoming, outgoing),
      );
      return;
    }
    next(incoming, outgoing);
  };
}
