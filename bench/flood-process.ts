import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const WRONG_SIGN_INS_PER_MINUTE = 1_000;
/** Milliseconds after which a sign-in has failed. */
const SIGN_IN_MS = 60_000;

export interface Flood {
  /** Connections that send a byte of a body in four seconds, and come back when they are closed. */
  slow: number;
  /** Websockets that send nothing. */
  idle: number;
  /** The loopback addresses that they come from. */
  addresses: number;
  wrongSignIns: boolean;
}

/** Opens connections from many addresses of the loopback network, and keeps them open. */
class Attack {
  readonly #url: string;
  readonly #flood: Flood;
  readonly #open = new Set<Socket>();

  constructor({ url, ...flood }: Flood & { url: string }) {
    this.#url = url;
    this.#flood = flood;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Resolves once every connection was opened, if the server takes it. */
  async begin(): Promise<void> {
    const { slow, idle, wrongSignIns } = this.#flood;
    for (let n = 0; n < Math.max(slow, idle); n += 1) {
      if (n < slow) this.#openSlow(n);
      if (n < idle) this.#openIdle(n);
      if (n % 50 === 0) await wait(20);
    }
    await wait(2_000);
    if (wrongSignIns) void this.#signInWrongly();
  }

  #connect(n: number): Socket {
    const localAddress = `127.0.1.${1 + (n % this.#flood.addresses)}`;
    const socket = connect({ port: Number(new URL(this.#url).port), host: '127.0.0.1', localAddress });
    this.#open.add(socket);
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  }

  #openSlow(n: number): void {
    const socket = this.#connect(n);
    socket.write(
      'POST /api/analytics/journal/log HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n{',
    );
    const drip = setInterval(() => socket.write(' '), 4_000);
    socket.once('close', () => {
      clearInterval(drip);
      setTimeout(() => this.#openSlow(n), 1_000 + 2_000 * Math.random());
    });
  }

  #openIdle(n: number): void {
    this.#connect(n).write(
      'GET /?project_id=journal HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
  }

  async #signInWrongly(): Promise<void> {
    for (let n = 0; ; n += 1) {
      const someone = { email: `nobody-${n % 300}@example.org`, password: `wrong password ${n}` };
      // Each comes from a network of its own.
      const localAddress = `127.${1 + ((n >> 8) % 250)}.${n & 255}.1`;
      signIn(this.#url, someone, { localAddress }).catch(() => undefined);
      await wait(60_000 / WRONG_SIGN_INS_PER_MINUTE);
    }
  }
}

/** Signs in, and returns the cookie by which the server knows the device the next time. */
export function signIn(
  url: string,
  { email, password }: { email: string; password: string },
  { cookie = '', localAddress }: { cookie?: string; localAddress?: string } = {},
): Promise<{ cookie: string }> {
  const body = JSON.stringify({ projectId: 'journal', email, password });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), cookie };
  const options = { method: 'POST', agent: false, family: 4, headers, localAddress };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/auth/signin/email`, options, (response) => {
      response.resume().once('end', () => {
        const cookies = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]);
        if (response.statusCode === 200) resolve({ cookie: cookies.join('; ') });
        else reject(new Error(`The sign-in returned ${response.statusCode}`));
      });
    });
    sent.setTimeout(SIGN_IN_MS, () => sent.destroy(new Error('Too slow')));
    sent.once('error', reject);
    sent.end(body);
  });
}

if (process.send) {
  let attack: Attack | undefined;
  process.on('message', async (message: (Flood & { url: string }) | 'count') => {
    if (message === 'count') return process.send?.(attack?.open ?? 0);
    attack = new Attack(message);
    await attack.begin();
    return process.send?.('begun');
  });
}
