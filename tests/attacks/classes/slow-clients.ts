import { connect } from 'node:net';
import type { AttackClass, Attempt } from '../attack.ts';
import { exchange } from '../exchange.ts';
import type { Target } from '../target.ts';

const HOST = 'Host: localhost\r\n';
/** A kind of client that takes its time: what it sends at first, and byte by byte afterwards. */
const KINDS: Readonly<Record<string, { head: string; drop: string | undefined; reads?: boolean }>> = {
  'sends nothing': { head: '', drop: undefined },
  'begins a first line': { head: 'GET /gal', drop: 'l' },
  'never ends its headers': { head: `GET /gallery HTTP/1.1\r\n${HOST}`, drop: 'X: y\r\n' },
  'sends a body byte by byte': {
    head: `POST /api/auth/signin/email HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n`,
    drop: ' ',
  },
  'sends chunks byte by byte': {
    head: `POST /api/analytics/journal/log HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    drop: '1\r\n \r\n',
  },
  'sends a form byte by byte': {
    head: `POST /contact HTTP/1.1\r\n${HOST}Origin: http://localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9000\r\n\r\n`,
    drop: 'a',
  },
  'sends a file byte by byte': {
    head: `POST /api/data/journal/extract-from-blob HTTP/1.1\r\n${HOST}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000\r\n\r\n`,
    drop: '-',
  },
  'announces a body and sends none': {
    head: `POST /api/auth/signup HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n`,
    drop: undefined,
  },
};
/** By then the server has closed a connection that is too slow: headers have 15 s, bodies 20 s and a look each 5 s. */
const CLOSED_MS = 45_000;
const DROP_MS = 1_000;
/** A page may take this long while all of them hold on, on a machine that is busy with the attack itself. */
const USABLE_MS = 2_000;

export interface SlowClients {
  /** Connections of each kind. */
  each: number;
  /** Tells how long they hold on: until the server closes them, or these milliseconds. */
  holdMs?: number;
}

/** Holds connections open for as long as the server lets them, and looks whether others are served meanwhile. */
export function slowClients({ url }: Target, { each, holdMs }: SlowClients): AttackClass {
  const slowest: number[] = [];
  const attempts = Object.entries(KINDS).flatMap(([what, { head, drop }]) =>
    Array.from(
      { length: each },
      (): Attempt => ({
        what: `a client that ${what}`,
        run: () => hold(url, { head, drop, holdMs }),
      }),
    ),
  );
  const watch: Attempt = {
    what: 'other readers meanwhile',
    async run() {
      const until = performance.now() + (holdMs ?? 20_000);
      while (performance.now() < until) {
        const { status, ms } = await exchange(url, { path: '/gallery' });
        if (status !== 200) return `the gallery is ${status}`;
        slowest.push(ms);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const worst = Math.max(...slowest);
      return worst > USABLE_MS ? `the gallery took ${Math.round(worst)} ms` : undefined;
    },
  };
  return {
    name: 'slow clients',
    attempts: [watch, ...attempts],
    concurrency: attempts.length + 1,
    longestMs: CLOSED_MS + 5_000,
  };
}

interface Held {
  head: string;
  drop: string | undefined;
  holdMs: number | undefined;
}

/** Resolves when the server has closed the connection, or when it was held for `holdMs`. */
function hold(url: string, { head, drop, holdMs }: Held): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const drops = setInterval(() => drop !== undefined && socket.write(drop), DROP_MS);
    const end = (weakness: string | undefined) => {
      clearInterval(drops);
      clearTimeout(timer);
      socket.destroy();
      resolve(weakness);
    };
    const timer = setTimeout(
      () => end(holdMs === undefined ? `it was held for ${CLOSED_MS / 1_000} s` : undefined),
      holdMs ?? CLOSED_MS,
    );
    socket.on('error', () => end(undefined));
    socket.once('close', () => end(undefined));
    socket.resume();
    socket.write(head);
  });
}
