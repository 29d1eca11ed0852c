import { createServer } from 'node:http';
import { collectDefaultMetrics } from 'prom-client';
import type { Meter } from '../../runtime/meter.ts';

/** Serves `GET /metrics` alone, in the format of Prometheus, with Node's own figures. Rejects when the port is taken. */
export async function serveMetrics(
  { registry }: Meter,
  { host, port }: { host: string; port: number },
): Promise<void> {
  collectDefaultMetrics({ register: registry });
  // By the rules of Prometheus, only counters end so. Each has a gauge by type beside it.
  for (const name of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  const server = createServer((incoming, outgoing) => {
    if (incoming.method !== 'GET' || incoming.url !== '/metrics') {
      outgoing.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => outgoing.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => outgoing.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // It serves beside everything else, and keeps no process alive.
  server.unref();
}
