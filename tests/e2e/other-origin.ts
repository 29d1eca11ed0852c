import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OtherOrigin {
  origin: string;
  close(): void;
}

/** Serves the same page on every path of an origin that is not the journal's. */
export async function startOtherOrigin(): Promise<OtherOrigin> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title><h1>App</h1>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
