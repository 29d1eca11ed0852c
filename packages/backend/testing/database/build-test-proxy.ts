import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Decides on the next data of a client: pass it on, cut both connections, or send nothing more in either direction. */
export type Interfere = (sent: string) => 'pass' | 'cut' | 'cut after it' | 'silence';

export interface TestProxy {
  port: number;
  /** Returns the number of bytes that the server has sent so far. */
  received(): number;
  /** Sets the decision for data from now on; at first, everything passes. */
  interfere(how: Interfere): void;
  /** Has the server's data arrive this many milliseconds later from now on; at first 0. */
  delay(ms: number): void;
  close(): Promise<void>;
}

/** Starts a proxy to a server on this machine, which breaks connections where a test wants it. */
export async function startTestProxy(target: number): Promise<TestProxy> {
  let interfere: Interfere = () => 'pass';
  let received = 0;
  let delayMs = 0;
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
    const passBack = (data: Buffer) => {
      if (silent || client.destroyed || client.write(data)) return;
      upstream.pause();
      client.once('drain', () => upstream.resume());
    };
    // Data that is late keeps what follows it waiting, also once there is no delay any more.
    let underWay = 0;
    let arrival = Promise.resolve();
    upstream.on('data', (data: Buffer) => {
      received += data.byteLength;
      if (delayMs === 0 && underWay === 0) return passBack(data);
      const due = Date.now() + delayMs;
      underWay += 1;
      arrival = arrival
        .then(() => wait(Math.max(0, due - Date.now())))
        .then(() => {
          underWay -= 1;
          passBack(data);
        });
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
    delay(ms) {
      delayMs = ms;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
