import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a client sends next, on its way to the server: `pass` it on, `cut` both ends off, or say nothing more. */
export type Interfere = (sent: string) => 'pass' | 'cut' | 'cut after it' | 'silence';

export interface TestProxy {
  port: number;
  /** Returns the number of bytes that the server has sent so far. */
  received(): number;
  /** From now on; at first, all is passed on. */
  interfere(how: Interfere): void;
  close(): Promise<void>;
}

/** Stands between a client and a server on this machine, and breaks their connections where a test wants it. */
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
      const what = silent ? 'silence' : interfere(data.toString('latin1'));
      if (what === 'cut') return cut();
      if (what === 'silence') {
        silent = true;
        return;
      }
      upstream.write(data);
      // The server gets it, and the answer does not come back.
      if (what === 'cut after it') upstream.removeAllListeners('data').once('data', cut);
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
