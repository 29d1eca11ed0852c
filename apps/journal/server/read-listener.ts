import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  createBatchedSender,
  type PlainRequest,
  type PlainResponse,
  readPlainRequest,
} from '@fabrica/backend';

const TABLES = '/api/db/';

/** Returns undefined for a request that it leaves to the app. */
export type ServePlain = (request: PlainRequest) => PlainResponse | Promise<PlainResponse> | undefined;

export interface ReadListenerOptions {
  serve: readonly ServePlain[];
  /** Takes all other requests, also one whose response failed. */
  next: RequestListener;
  /** Whether this thread reads tables itself, as from SQLite. Another server would have nothing to do while reads are gathered for it. */
  readsTables: boolean;
}

/** Creates a request listener for what is requested most: reads of tables and pages from the cache are responded to as data. */
export function createReadListener({ serve, next, readsTables }: ReadListenerOptions): RequestListener {
  const send = createBatchedSender();
  const gather = createBatchedListener(read);

  function read(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const request = readPlainRequest(incoming);
    for (const respond of request ? serve : []) {
      const response = request && respond(request);
      if (!response) continue;
      if (response instanceof Promise) {
        response.then(
          (settled) => send(outgoing, settled),
          () => next(incoming, outgoing),
        );
      } else send(outgoing, response);
      return;
    }
    next(incoming, outgoing);
  }

  return (incoming, outgoing) => {
    const { method, url } = incoming;
    if (method !== 'GET' && method !== 'HEAD') next(incoming, outgoing);
    else if (readsTables && url?.startsWith(TABLES)) gather(incoming, outgoing);
    else read(incoming, outgoing);
  };
}

/**
 * Returns a listener that handles the requests of one iteration of the event loop one after the other at its end. Handling each
 * as soon as it is parsed takes longer: parsing and handling find the processor's caches full of each other's code and data.
 */
function createBatchedListener(handle: RequestListener): RequestListener {
  let waiting: [IncomingMessage, ServerResponse][] = [];

  function handleAll(): void {
    const together = waiting;
    waiting = [];
    for (const [incoming, outgoing] of together) {
      // Nobody waits for the response of a connection that has been closed meanwhile.
      if (!outgoing.destroyed) handle(incoming, outgoing);
    }
  }

  return (incoming, outgoing) => {
    if (waiting.push([incoming, outgoing]) === 1) setImmediate(handleAll);
  };
}
