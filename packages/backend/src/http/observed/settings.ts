import { z } from 'zod';
import { httpUrl } from '../../core/settings.ts';

export const observedSettings = {
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('Port for `GET /metrics`, in the format of Prometheus. Default: there are no metrics.'),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe(
      'IP address for `METRICS_PORT`. Everybody who reaches it reads the metrics: never a public one.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'Collector of OpenTelemetry that traces of requests are sent to, by OTLP over HTTP, such as `http://collector:4318`. Default: there are no traces.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of requests that are traced, 0 to 1, unless the proxy has decided in `traceparent`.'),
};
