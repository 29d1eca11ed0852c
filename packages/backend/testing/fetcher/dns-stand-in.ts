import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

const HEADER_BYTES = 12;
const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 };
const NO_SUCH_NAME = 3;

interface DnsStandIn {
  /** `127.0.0.1:port`. */
  server: string;
  /** The names that were asked for, once for each query. */
  asked: string[];
  /** Waits until a name is asked for. */
  askedFor(name: string): Promise<void>;
  close(): void;
}

export interface DnsAnswers {
  /** The IP addresses of each name; there are no others, except those that are silent. */
  names: Readonly<Record<string, readonly string[]>>;
  /** Tells which queries are never answered. */
  isSilent?(name: string, family: 4 | 6): boolean;
}

/** Starts a DNS server on loopback that answers queries for IP addresses by UDP. */
export async function startDnsStandIn({ names, isSilent = () => false }: DnsAnswers): Promise<DnsStandIn> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const asked: string[] = [];
  const watchers = new Map<string, () => void>();
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, end } = readName(query);
    const family = TYPES[query.readUInt16BE(end)] ?? 4;
    asked.push(name);
    watchers.get(name)?.();
    if (isSilent(name, family)) return;
    const known = names[name];
    const addresses = (known ?? []).filter((address) => address.includes(':') === (family === 6));
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (known ? 0 : NO_SUCH_NAME), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const question = query.subarray(HEADER_BYTES, end + 4);
    const records = addresses.map((address) => recordOf(address, query.readUInt16BE(end)));
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address);
  });
  return {
    server: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    askedFor: (name) =>
      asked.includes(name) ? Promise.resolve() : new Promise((resolve) => watchers.set(name, resolve)),
    close: () => socket.close(),
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** Returns a resource record for the name of the question. */
function recordOf(address: string, type: number): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}
