import type { RequestListener } from 'node:http';
import { type Backend, createBatchedSender, readPlainRequest } from '@fabrica/backend';

/** Answers reads of tables straight on the socket, and hands everything else to `next`. */
export function readsFirst(
  { serveRead }: Pick<Backend, 'serveRead'>,
  next: RequestListener,
): RequestListener {
  const send = createBatchedSender();
  return (incoming, outgoing) => {
    const request = readPlainRequest(incoming);
    const answer = request && serveRead(request);
    if (!answer) return next(incoming, outgoing);
    if (!(answer instanceof Promise)) return send(outgoing, answer);
    answer.then(
      (found) => send(outgoing, found),
      () => outgoing.destroy(),
    );
  };
}
