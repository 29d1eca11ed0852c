import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** File handles that are no connections: databases, files that are read, threads, child processes, calls to others. */
const OTHER_HANDLES = 256;
/** Connections that have waited for longest, of which the one that has brought least is closed. */
const COMPARED = 32;

/** Returns how many connections leave enough of the process's file handles for everything else. */
export function connectionsWithin(handles: number): number {
  return handles - Math.min(OTHER_HANDLES, Math.floor(handles / 4));
}

/**
 * Keeps the connections below a number, so that file handles never run out: a server without any accepts nobody, and cannot
 * open its own files. When there is no room for a new connection, one that waits for its client makes room: idle ones and
 * those that send their request slowly. Connections whose request is being answered, and websockets, stay.
 */
export function limitHandles(server: Server, most: number): void {
  if (!Number.isFinite(most)) return;
  const open = new Set<Socket>();
  /** The connections that wait for their client, the longest first. */
  const waiting = new Set<Socket>();

  function makeRoom(): boolean {
    let slowest: Socket | undefined;
    let compared = 0;
    for (const socket of waiting) {
      if (!slowest || socket.bytesRead < slowest.bytesRead) slowest = socket;
      compared += 1;
      if (compared === COMPARED) break;
    }
    if (!slowest) return false;
    forget(slowest);
    slowest.destroy();
    return true;
  }

  function forget(socket: Socket): void {
    open.delete(socket);
    waiting.delete(socket);
  }

  server.on('connection', (socket: Socket) => {
    if (open.size >= most && !makeRoom()) {
      socket.destroy();
      return;
    }
    open.add(socket);
    waiting.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    let isAnswered = false;
    const busy = () => {
      if (!isAnswered) waiting.delete(socket);
    };
    if (incoming.complete || !hasBody(incoming)) busy();
    else incoming.once('close', busy);
    outgoing.once('close', () => {
      isAnswered = true;
      // It waits from now on: after all those that wait already.
      waiting.delete(socket);
      if (open.has(socket)) waiting.add(socket);
    });
  });
  server.on('upgrade', (_, socket) => waiting.delete(socket as Socket));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
