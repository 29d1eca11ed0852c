import { z } from 'zod';
import { httpUrl } from '../../core/settings.ts';

/** A port, or an IP address and a port; one of version 6 is in brackets. */
const METRICS_PORT = /^(?:(?<host>[\w.-]+|\[[\da-f:]+\]):)?(?<port>\d{1,5})$/i;

export const observedSettings = {
  METRICS_PORT: z
    .string()
    .regex(METRICS_PORT, 'must be a port such as 9400, or an IP address and a port such as 10.0.0.5:9400')
    .transform((value) => {
      const { host, port } = METRICS_PORT.exec(value)?.groups ?? {};
      return { host: host?.replace(/^\[|\]$/g, '') ?? '127.0.0.1', port: Number(port) };
    })
    .refine(({ port }) => port > 0 && port < 65_536, 'must be a port from 1 to 65535')
    .optional()
    .describe(
      'Port for `GET /metrics`, in the format of Prometheus, on `127.0.0.1`; `10.0.0.5:9400` is on that IP address. Everybody who reaches it reads the metrics: never a public one. Default: there are no metrics.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'Collector of OpenTelemetry that traces of requests are sent to, by OTLP over HTTP, such as `http://collector:4318`. Default: there are no traces.',
    ),
};
