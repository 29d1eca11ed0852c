import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { MEASURES, type MeasureName, type Meter } from '../../runtime/meter.ts';
import { type ObservedRequest, RequestTally } from './request-tally.ts';

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
export function createMetrics(meter: Meter): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Services that are loaded with their first call add theirs later.
  for (const name of Object.keys(MEASURES) as MeasureName[])
    registry.registerMetric(collectMeasure(name, meter));
  const requests = new RequestTally();
  registry.registerMetric(requests as unknown as Gauge);
  const metrics: Metrics = {
    observeRequest: (request) => requests.add(request),
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

/** Returns a metric that is filled from the meter whenever it is asked for. */
function collectMeasure(name: MeasureName, meter: Meter): Counter | Gauge {
  const { kind, help, labels } = MEASURES[name];
  const options = { name, help, labelNames: [...labels], registers: [] };
  if (kind === 'counter') {
    return new Counter<string>({
      ...options,
      async collect() {
        this.reset();
        for (const reading of await meter.read(name)) this.inc({ ...reading.labels }, reading.value);
      },
    });
  }
  return new Gauge<string>({
    ...options,
    async collect() {
      this.reset();
      const readings = await meter.read(name);
      // A gauge without labels is 0 by itself, which would be a measurement.
      if (labels.length === 0 && readings.length === 0) this.remove({});
      for (const reading of readings) this.set({ ...reading.labels }, reading.value);
    },
  });
}
