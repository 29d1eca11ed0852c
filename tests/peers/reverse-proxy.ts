import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface ReverseProxyOptions {
  /** The server that it stands in front of, `http://localhost:<port>`. */
  target: string;
  passesWebsockets?: boolean;
  /** Bytes of a body, above which it refuses a request. */
  largestBody?: number;
}

export interface ReverseProxy {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  close(): Promise<void>;
}

/** Starts a reverse proxy, which adds the address of each client to `X-Forwarded-For`. */
export async function startReverseProxy({
  target,
  passesWebsockets = true,
  largestBody = Number.POSITIVE_INFINITY,
}: ReverseProxyOptions): Promise<ReverseProxy> {
  const to = { host: '127.0.0.1', port: Number(new URL(target).port) };
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers, socket } = incoming;
    if (Number(headers['content-length'] ?? 0) > largestBody) {
      outgoing.writeHead(413).end();
      return;
    }
    const forwarded = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');
    const onward = request({ ...to, method, path, headers: { ...headers, 'x-forwarded-for': forwarded } });
    onward.flushHeaders();
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  proxy.on('upgrade', ({ method, url, rawHeaders }, socket) => {
    socket.on('error', () => undefined);
    if (!passesWebsockets) {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      return;
    }
    const onward = connect(to);
    onward.on('error', () => socket.destroy());
    const lines = [`${method} ${url} HTTP/1.1`];
    for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
    onward.write(`${lines.join('\r\n')}\r\n\r\n`);
    onward.pipe(socket).pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async close() {
      proxy.close();
      proxy.closeAllConnections();
      await once(proxy, 'close');
    },
  };
}
