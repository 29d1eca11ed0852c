import type { IncomingMessage, Server } from 'node:http';
import type { Backend } from '@fabrica/backend';
import type { Frontend } from '../frontend.ts';

/**
 * Returns whether a request upgrades to a WebSocket, for `shouldUpgradeCallback`. Any other upgrade (some clients offer
 * `h2c` with each request) is ignored, and the request is handled without one.
 */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Passes all WebSockets to the backend, except those of Vite in development. */
export function handleUpgrades(
  server: Server,
  { handleUpgrade }: Pick<Backend, 'handleUpgrade'>,
  mode: Frontend['mode'],
): void {
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    const isForVite =
      mode === 'development' && request.headers['sec-websocket-protocol']?.startsWith('vite-');
    if (!isForVite) handleUpgrade(request, socket, head);
  });
}
