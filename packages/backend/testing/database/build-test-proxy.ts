import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Decides on the next data of a client: pass it on, cut both connections, or send nothing more in either direction. */
export type Interfere = (sent: string) => 'pass' | 'cut' | 'cut after it' | 'silence';

export interface TestProxy {
  port: number;
  /** Returns the number of bytes that the server has sent so far. */
  received(): number;
  /** Sets the decision for data from now on; at first, everything passes. */
  interfere(how: Interfere): void;
  close(): Promise<void>;
}

/** Starts a proxy to a server on this machine, which breaks connections where a test wants it. */
export async function startTestProxy(target: number): Promise<TestProxy> {
  let interfere: Interfere = () => 'pass';
  let received = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', cut);
    }
    let silent = false;
    upstream.on('data', (data) => {
      received += data.byteLength;
      if (silent || client.write(data)) return;
      upstream.pause();
      client.once('drain', () => upstream.resume());
    });
    client.on('data', (data) => {
      const decision = silent ? 'silence' : interfere(data.toString('latin1'));
      if (decision === 'cut') return cut();
      if (decision === 'silence') {
        silent = true;
        return;
      }
      upstream.write(data);
      // The server receives the data, and the client does not receive the response.
      if (decision === 'cut after it') upstream.removeAllListeners('data').once('data', cut);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    interfere(how) {
      interfere = how;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
