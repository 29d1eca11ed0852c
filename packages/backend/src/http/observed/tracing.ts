import type { IncomingHttpHeaders } from 'node:http';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { settledWithin } from '../../runtime/within-time.ts';
import { parseTraceparent } from './request-ids.ts';

/** Milliseconds that the collector has for the last spans. */
const LAST_SPANS_MS = 2_000;

interface TracingOptions {
  /** The collector, without a trailing slash and without `/v1/traces`. */
  endpoint: string;
  version: string;
  /** Whether a proxy stands in front, whose `traceparent` counts. */
  isProxied: boolean;
}

interface TracedRequest {
  method: string;
  route: string;
  headers: IncomingHttpHeaders;
}

/** Tells a collector how long each request took, as a part of the trace that a proxy has begun. */
export interface Tracer {
  /** Returns the function that ends the span of a request. */
  begin(request: TracedRequest): (status: number) => void;
  /** Sends what is left. A collector that is away does not keep the server from ending. */
  close(): Promise<void>;
}

/** Opens the way to the collector. A collector that is away costs spans, and nothing else. */
export function openTracing({ endpoint, version, isProxied }: TracingOptions): Tracer {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'fabrica', 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
    ],
  });
  const tracer = provider.getTracer('fabrica', version);
  return {
    begin({ method, route, headers }) {
      const parent = isProxied ? parentOf(headers.traceparent?.toString()) : ROOT_CONTEXT;
      const attributes = { 'http.request.method': method, 'http.route': route };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
      return (status) => {
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
    },
    async close() {
      await settledWithin(LAST_SPANS_MS, provider.shutdown()).catch(() => undefined);
    },
  };
}

function parentOf(traceparent: string | undefined): Context {
  const traceId = parseTraceparent(traceparent);
  if (traceparent === undefined || traceId === undefined) return ROOT_CONTEXT;
  const [, , spanId = '', flags = ''] = traceparent.split('-');
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
