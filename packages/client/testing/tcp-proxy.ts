import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy between a client and a server that can break connections. */
export interface TcpProxy {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** Connects later connections to another port. */
  redirectTo(port: number): void;
  /** Resets new connections at once while it is true. */
  isDown: boolean;
  /** The number of connections so far. */
  count: number;
  /** Resets all connections. */
  drop(): void;
  /** Stops forwarding data and the end of the current connections. */
  freeze(): void;
}

export async function openTcpProxy(port: number): Promise<TcpProxy> {
  const pairs = new Set<{ near: Socket; far: Socket; isFrozen: boolean }>();
  let target = port;
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (proxy.isDown) {
      near.resetAndDestroy();
      return;
    }
    proxy.count += 1;
    const far = connect(target, '127.0.0.1').on('error', () => undefined);
    const pair = { near, far, isFrozen: false };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (data) => pair.isFrozen || to.write(data));
      from.on('close', () => {
        if (pair.isFrozen) return;
        pairs.delete(pair);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: TcpProxy = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    redirectTo(next) {
      target = next;
    },
    isDown: false,
    count: 0,
    drop() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.resetAndDestroy();
    },
    freeze() {
      for (const pair of pairs) pair.isFrozen = true;
    },
  };
  onTestFinished(() => {
    server.close();
    proxy.drop();
  });
  return proxy;
}
