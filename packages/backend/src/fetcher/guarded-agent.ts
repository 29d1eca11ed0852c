import { buildConnector, Client, type Dispatcher } from 'undici';
import type { Gate, ResolvedHost, ResolveFor } from './gate.ts';

const MAX_HEADER_BYTES = 64 * 1024;
const CONNECT_MS = 10_000;

/** Sends requests, each on a connection that the gate has allowed. */
export interface GuardedAgent {
  send(
    url: URL,
    options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'> & ResolveFor,
  ): Promise<Dispatcher.ResponseData>;
  /** Aborts all requests. */
  destroy(): Promise<void>;
}

export function createGuardedAgent(gate: Gate): GuardedAgent {
  const clients = new Set<Client>();

  async function destroyClient(client: Client): Promise<void> {
    clients.delete(client);
    await client.destroy();
  }

  return {
    async send(url, { account, signal, ...options }) {
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
      const resolved = await gate.resolve(url.hostname, port, { account, signal });
      // A client of its own for each request, so that nothing of one caller is left for the next.
      const client = new Client(url.origin, {
        connect: connectorTo(resolved, { gate, host: url.hostname }),
        pipelining: 0,
        maxHeaderSize: MAX_HEADER_BYTES,
      });
      clients.add(client);
      try {
        const path = `${url.pathname}${url.search}`;
        const response = await client.request({ ...options, path, ...(signal && { signal }) });
        response.body.once('close', () => destroyClient(client));
        return response;
      } catch (error) {
        await destroyClient(client);
        throw error;
      }
    },
    async destroy() {
      await Promise.all([...clients].map(destroyClient));
    },
  };
}

/** Returns a connector to the very IP addresses that were judged, whatever DNS says a moment later. */
function connectorTo(
  { addresses, port }: ResolvedHost,
  { gate, host }: { gate: Gate; host: string },
): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_MS,
    lookup: (_host, { all }, found) => {
      const [first] = addresses;
      if (all) found(null, [...addresses]);
      else found(null, first?.address ?? '', first?.family ?? 4);
    },
  } as buildConnector.BuildOptions);
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      if (gate.isAllowed({ host, port, address: socket.remoteAddress ?? '' })) return callback(null, socket);
      socket.destroy();
      callback(new Error('Connected to an address that was not looked at.'), null);
    });
}
