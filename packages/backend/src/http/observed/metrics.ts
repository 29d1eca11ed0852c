import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Histogram } from 'prom-client';
import type { Meter } from '../../runtime/meter.ts';

/** A finished request. */
export interface ObservedRequest {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

/** Called at the end of a request. */
export type ObserveRequest = (request: ObservedRequest) => void;

export interface Metrics {
  observeRequest: ObserveRequest;
  /** Returns all metrics as text. */
  print(): Promise<string>;
  /** Serves `GET /metrics` alone. Rejects when the port is taken. */
  listen(port: number, host: string): Promise<Server>;
  close(): void;
}

/** Creates the metrics of this process in the format of Prometheus: its requests, Node's own figures and those of the meter. */
export function createMetrics({ registry }: Meter): Metrics {
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'fabrica_http_request_duration_seconds',
    help: 'Requests by route, and how long they took to the last byte.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 120],
    registers: [registry],
  });
  const metrics: Metrics = {
    observeRequest: ({ seconds, ...labels }) => requests.observe(labels, seconds),
    print: () => registry.metrics(),
    async listen(port, host) {
      const server = createServer((incoming, outgoing) => {
        if (incoming.method !== 'GET' || incoming.url !== '/metrics') {
          outgoing.writeHead(404).end();
          return;
        }
        metrics.print().then(
          (text) => outgoing.writeHead(200, { 'content-type': registry.contentType }).end(text),
          () => outgoing.writeHead(500).end(),
        );
      });
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      // It serves beside everything else, and keeps no process alive.
      return server.unref();
    },
    close: () => registry.clear(),
  };
  return metrics;
}
