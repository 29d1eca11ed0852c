import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface FaultyProxy {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** Stops all faults. */
  calm(): void;
  close(): void;
}

/** The faults of connections, with their shares in percent. */
const FAULTS = {
  /** The connection is reset. */
  drop: 85,
  /** Nothing passes any more, and neither side is notified. */
  silence: 12,
  /** The connection is reset, and no new one is accepted for so long that the busiest channel drops missed messages. */
  outage: 3,
};
export type Fault = keyof typeof FAULTS;

const OUTAGE_MS = 45_000;
const [SHORTEST_MS, LONGEST_MS] = [5_000, 60_000];

/** Starts a proxy to these servers in which each connection has a fault 5 to 60 seconds after its beginning. */
export async function startFaultyProxy(
  ports: readonly number[],
  count: (fault: Fault) => void,
): Promise<FaultyProxy> {
  const open = new Set<() => void>();
  const timers = new Set<NodeJS.Timeout>();
  let isCalm = false;
  let outageEnds = 0;

  function breakConnection(near: Socket, far: Socket): void {
    const fault = pickFault();
    count(fault);
    if (fault === 'outage') outageEnds = Date.now() + OUTAGE_MS;
    if (fault !== 'silence') {
      near.resetAndDestroy();
      far.resetAndDestroy();
      return;
    }
    for (const socket of [near, far]) socket.unpipe().resume();
  }

  const server: Server = createServer((near) => {
    if (!isCalm && Date.now() < outageEnds) return near.on('error', () => undefined).resetAndDestroy();
    const far = connect({
      port: ports[Math.floor(Math.random() * ports.length)] ?? 0,
      host: '127.0.0.1',
      noDelay: true,
    });
    near.setNoDelay(true);
    const timer = setTimeout(
      () => breakConnection(near, far),
      SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS),
    );
    timers.add(timer);
    const end = () => {
      clearTimeout(timer);
      timers.delete(timer);
      open.delete(end);
      near.destroy();
      far.destroy();
    };
    open.add(end);
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calm() {
      isCalm = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
    close() {
      server.close();
      for (const end of open) end();
    },
  };
}

function pickFault(): Fault {
  let left = Math.random() * 100;
  for (const [fault, share] of Object.entries(FAULTS)) {
    left -= share;
    if (left < 0) return fault as Fault;
  }
  return 'drop';
}
