import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { type TracedWork, tracedWork } from '../../runtime/traced.ts';
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

/** Tells a collector how long each request took and the work within it, as a part of the trace that a proxy has begun. */
export interface Tracer {
  begin(request: TracedRequest): RequestSpan;
  /** Sends what is left. A collector that is away does not keep the server from ending. */
  close(): Promise<void>;
}

interface RequestSpan {
  /** Runs the work of the request. */
  within(work: () => void): void;
  end(status: number): void;
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
  const current = new AsyncLocalStorage<Context | undefined>();
  const beginWork = (message: TracedWork): Context | undefined => {
    const parent = current.getStore();
    if (parent === undefined || message.end) return parent;
    const span = tracer.startSpan(`${message.part} ${message.name}`, { kind: SpanKind.CLIENT }, parent);
    message.end = (error) => {
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
    return trace.setSpan(parent, span);
  };
  const onWork = (message: unknown) => void beginWork(message as TracedWork);
  tracedWork.bindStore(current, (message) => beginWork(message as TracedWork));
  tracedWork.subscribe(onWork);
  return {
    begin({ method, route, headers }) {
      const parent = isProxied ? parentOf(headers.traceparent?.toString()) : ROOT_CONTEXT;
      const attributes = { 'http.request.method': method, 'http.route': route };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
      return {
        within: (work) => current.run(trace.setSpan(parent, span), work),
        end(status) {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async close() {
      tracedWork.unbindStore(current);
      tracedWork.unsubscribe(onWork);
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
