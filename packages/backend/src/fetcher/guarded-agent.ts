import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import type { Gate } from './gate.ts';

const MAX_HEADER_BYTES = 64 * 1024;
const CONNECT_MS = 10_000;

/** Sends requests, each on a connection that the gate has allowed. */
export interface GuardedAgent {
  send(
    url: URL,
    options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
  ): Promise<Dispatcher.ResponseData>;
  /** Aborts all requests. */
  destroy(): Promise<void>;
}

export function createGuardedAgent(gate: Gate): GuardedAgent {
  const agent = new Agent({
    connect: connectorThrough(gate),
    // A connection serves one request, so that nothing of one caller is left for the next.
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  return {
    send: (url, options) => request(url, { ...options, dispatcher: agent }),
    destroy: () => agent.destroy(),
  };
}

/** Returns a connector to the very IP addresses that were judged, whatever DNS says a moment later. */
function connectorThrough(gate: Gate): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname;
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
    gate.resolve(host, port).then(
      ({ addresses }) => {
        const connect = buildConnector({
          allowH2: false,
          timeout: CONNECT_MS,
          lookup: (_host, { all }, found) => {
            const [first] = addresses;
            if (all) found(null, [...addresses]);
            else found(null, first?.address ?? '', first?.family ?? 4);
          },
        } as buildConnector.BuildOptions);
        connect(options, (error, socket) => {
          if (error) return callback(error, null);
          if (gate.isAllowed({ host, port, address: socket.remoteAddress ?? '' }))
            return callback(null, socket);
          socket.destroy();
          callback(new Error('Connected to an address that was not looked at.'), null);
        });
      },
      (error: Error) => callback(error, null),
    );
  };
}
