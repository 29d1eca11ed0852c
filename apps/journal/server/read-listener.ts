import type { RequestListener } from 'node:http';
import { type Backend, createBatchedSender, readPlainRequest } from '@fabrica/backend';

/** Creates a request listener that responds to reads of tables directly, and passes all other requests to `next`. */
export function createReadListener(
  { serveRead }: Pick<Backend, 'serveRead'>,
  next: RequestListener,
): RequestListener {
  const send = createBatchedSender();
  return (incoming, outgoing) => {
    const request = readPlainRequest(incoming);
    const response = request && serveRead(request);
    if (!response) return next(incoming, outgoing);
    if (!(response instanceof Promise)) return send(outgoing, response);
    response.then(
      (settled) => send(outgoing, settled),
      () => outgoing.destroy(),
    );
  };
}
