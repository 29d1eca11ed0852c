import type { IncomingMessage, Server } from 'node:http';
import type { Backend } from '@fabrica/backend';
import type { Frontend } from './frontend.ts';

/** For `createServer`: what would upgrade to anything else (`h2c`, as some clients offer with each request) is a plain request. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Hands websockets to the backend, at whatever address; those of Vite's own pages stay with Vite. */
export function handOverSockets(
  server: Server,
  { handleUpgrade }: Pick<Backend, 'handleUpgrade'>,
  mode: Frontend['mode'],
): void {
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    const isOfVite = mode === 'development' && request.headers['sec-websocket-protocol']?.startsWith('vite-');
    if (!isOfVite) handleUpgrade(request, socket, head);
  });
}
