import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { CrowdCommand, CrowdReply } from './crowd.ts';

/**
 * The process of many websockets, which count the received messages and read the clock of each. The process that forked it
 * sends the commands (`crowd.ts`).
 */

interface Member {
  socket: Socket;
  /** The beginning of an incomplete frame. */
  rest: Buffer;
  /** Called once it is subscribed. */
  subscribed(): void;
}

/** Concurrent handshakes. */
const AT_ONCE = 100;
const MESSAGE = Buffer.from('{"type":"message"');
const SUBSCRIBED = Buffer.from('{"type":"subscribed"');
const CLOCK = Buffer.from('"at":');

const members = new Set<Member>();
let deliveries = 0;
let lost = 0;
/** Microseconds from the publisher's clock to ours, or undefined while they are not measured. */
let delays: number[] | undefined;

async function open(url: string, channels: readonly string[]): Promise<void> {
  const waiting = [...channels];
  const opening = Array.from({ length: AT_ONCE }, async () => {
    for (let channel = waiting.pop(); channel !== undefined; channel = waiting.pop())
      await join(url, channel);
  });
  await Promise.all(opening);
}

function join(url: string, channel: string): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const member: Member = { socket, rest: Buffer.alloc(0), subscribed: resolve };
    const closed = () => {
      if (members.delete(member)) lost += 1;
      reject(new Error('A socket was closed.'));
    };
    socket.on('error', reject).on('close', closed);
    socket.once('data', (head) => {
      if (!head.includes('101 Switching Protocols')) return reject(new Error(String(head)));
      members.add(member);
      socket.on('data', (bytes) => receive(member, bytes));
      receive(member, head.subarray(head.indexOf('\r\n\r\n') + 4));
      socket.write(maskedFrame(JSON.stringify({ type: 'subscribe', payload: { channel } })));
    });
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
  });
}

/** Returns a masked text frame (RFC 6455, section 5.2). A mask of zeros is valid. */
function maskedFrame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}

function receive(member: Member, chunk: Buffer): void {
  const bytes = member.rest.length > 0 ? Buffer.concat([member.rest, chunk]) : chunk;
  let at = 0;
  while (bytes.length >= at + 4) {
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const head = short === 126 ? 4 : 2;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
    if (bytes.length < at + head + length) break;
    take(member, bytes.subarray(at + head, at + head + length));
    at += head + length;
  }
  member.rest = bytes.subarray(at);
}

function take(member: Member, text: Buffer): void {
  if (text.compare(MESSAGE, 0, MESSAGE.length, 0, MESSAGE.length) === 0) {
    deliveries += 1;
    if (!delays) return;
    const clock = text.indexOf(CLOCK) + CLOCK.length;
    delays.push(now() - Number.parseInt(text.toString('latin1', clock, clock + 20), 10));
  } else if (text.indexOf(SUBSCRIBED) === 0) member.subscribed();
}

/** Returns the microseconds of a clock that all processes of this machine share. */
function now(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

async function close(): Promise<void> {
  const closing = [...members].map(
    ({ socket }) =>
      new Promise((resolve) => socket.removeAllListeners('close').once('close', resolve).destroy()),
  );
  members.clear();
  await Promise.all(closing);
}

async function run(command: CrowdCommand): Promise<unknown> {
  switch (command.act) {
    case 'open':
      return open(command.url, command.channels);
    case 'count':
      return { deliveries, lost };
    case 'time': {
      const sorted = Float64Array.from(delays ?? []).sort();
      delays = command.on ? [] : undefined;
      return {
        count: sorted.length,
        p50: sorted[sorted.length >> 1],
        p99: sorted[Math.floor(sorted.length * 0.99)],
      };
    }
    case 'close':
      return close();
  }
}

process.on('message', (command: CrowdCommand) => {
  const reply = (body: Omit<CrowdReply, 'id'>) => process.send?.({ id: command.id, ...body });
  run(command).then(
    (result) => reply({ result }),
    (error) => reply({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
