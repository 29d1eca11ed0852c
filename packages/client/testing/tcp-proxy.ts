import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A line between a client and a server, with all that can happen to one. */
export interface TcpProxy {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** Where new connections lead to from now on. */
  leadTo(port: number): void;
  /** New connections are cut off at once, until they are not. */
  isDown: boolean;
  /** Connections that were made so far. */
  count: number;
  /** Cuts all connections off. */
  drop(): void;
  /** Nothing comes through the present connections any more, not even their end. */
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
    leadTo(next) {
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
