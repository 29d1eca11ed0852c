import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { signUp, uploadFile } from '@fabrica/test-peers/author.ts';
import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { startReverseProxy } from '@fabrica/test-peers/reverse-proxy.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { freePort, type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const LIST = '/api/db/journal/rest/v1/journal_posts?select=id&limit=3';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface Exported {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

const spans: Span[] = [];
const parentOf = ({ parentSpanId }: Span) => spans.find(({ spanId }) => spanId === parentSpanId);
const collector = createServer(async (incoming, outgoing) => {
  expect(incoming.url).toBe('/v1/traces');
  const { resourceSpans } = (await json(incoming)) as Exported;
  spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});

let server: RunningServer;
let ai: OpenAiStandIn;
let metricsPort: number;

beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  metricsPort = await freePort();
  ai = await startOpenAiStandIn();
  server = await startServer({
    METRICS_PORT: String(metricsPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    AI_BASE_URL: ai.url,
    AI_TEXT_MODEL: 'stand-in',
    AI_JUDGE_MODEL: 'off',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'info',
    DEMO: 'off',
  });
});

afterAll(async () => {
  await server.close();
  collector.close();
  await ai.close();
});

async function readMetrics(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(response.status).toBe(200);
  return response.text();
}

it('a request is found by the ids of its proxy in the response, the log and the trace', async () => {
  const response = await fetch(server.url + LIST, {
    headers: {
      'x-request-id': 'edge-0000000042',
      traceparent: `00-${TRACE}-${PARENT}-01`,
      'x-forwarded-for': '203.0.113.9',
    },
  });
  expect(response.headers.get('x-request-id')).toBe('edge-0000000042');
  await response.text();
  await expect.poll(() => server.output()).toContain(`"requestId":"edge-0000000042","traceId":"${TRACE}"`);
  await expect
    .poll(() => spans.find(({ parentSpanId }) => parentSpanId === PARENT))
    .toMatchObject({
      traceId: TRACE,
      name: 'GET /api/db/:projectId/rest/v1/:table',
    });
});

it('the metrics count requests by the route, with the paths of strangers as one', async () => {
  for (const path of [LIST, LIST, LIST, '/gallery', '/healthz', '/wp-login.php', '/xmlrpc.php']) {
    await (await fetch(server.url + path)).text();
  }
  const metrics = await readMetrics();
  const count = (method: string, route: string, status: number) =>
    Number(
      metrics
        .split('\n')
        .find((line) =>
          line.startsWith(
            `fabrica_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
          ),
        )
        ?.split(' ')[1],
    );
  expect(count('GET', '/api/db/:projectId/rest/v1/:table', 200)).toBeGreaterThanOrEqual(3);
  expect(count('GET', '/gallery', 200)).toBe(1);
  expect(count('GET', '/healthz', 200)).toBe(1);
  expect(count('GET', 'other', 404)).toBe(2);
  expect(metrics).not.toContain('wp-login');
});

it('the metrics tell of caches, queues, jobs, mails, sockets, parts and connections', async () => {
  const metrics = await readMetrics();
  for (const line of [
    /^fabrica_cache_hits_total\{cache="responses"\} [1-9]/m,
    /^fabrica_cache_misses_total\{cache="pages"\} [1-9]/m,
    /^fabrica_queue_waiting\{queue="passwords"\} 0$/m,
    /^fabrica_queue_waiting\{queue="announcements"\} 0$/m,
    /^fabrica_disk_free_bytes [1-9]\d+$/m,
    /^fabrica_job_runs_total\{job="mail-delivery",outcome="done"\} [1-9]/m,
    /^fabrica_mails\{project="journal",state="waiting"\} 0$/m,
    /^fabrica_sockets 0$/m,
    /^fabrica_part_up\{part="database"\} 1$/m,
    /^nodejs_eventloop_lag_p99_seconds /m,
  ]) {
    expect(metrics).toMatch(line);
  }
  const gauges = [...metrics.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name);
  expect(gauges.length).toBeGreaterThan(20);
  expect(gauges.filter((name) => name?.endsWith('_total'))).toEqual([]);
  // Nobody waits for a connection but those that read these figures.
  expect(metrics).not.toMatch(/state="waiting"\} [1-9]/);
  // Without BACKUP_SCHEDULE this server makes no backups, and its alert would never end.
  expect(metrics).not.toMatch(/^fabrica_backup_/m);
  const connections = /^fabrica_database_connections\{project="journal",pool="read",state="idle"\} [1-9]/m;
  expect(connections.test(metrics)).toBe(process.env.TEST_ENGINE === 'postgres');
});

it('a trace tells of the database, the rendering, the store and the model within a request', async () => {
  const author = await signUp(server);
  await uploadFile(server, author.token, { path: 'one.bin', bytes: new Uint8Array(1_000) });
  await fetch(`${server.url}/api/ai/journal/text`, {
    method: 'POST',
    headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'One word.' }),
  });
  await (await fetch(`${server.url}/gallery?q=nothing-that-is-cached`)).text();
  /** Returns the names of the spans around those of a name, from the nearest on. */
  const around = (name: string) =>
    spans
      .filter((span) => span.name === name)
      .map((span) => {
        const names: string[] = [];
        for (let at = parentOf(span); at; at = parentOf(at)) names.push(at.name);
        return names;
      });
  await expect.poll(() => around('storage put')).toContainEqual(['POST /api/storage/:projectId/upload']);
  await expect.poll(() => around('model call')).toContainEqual(['POST /api/ai/:projectId/*']);
  await expect.poll(() => around('database select')).toContainEqual(['render page', 'GET /gallery']);
  await expect.poll(() => around('database insert')).toContainEqual(['POST /api/auth/signup']);
});

it('the public port has no metrics, and the port of metrics nothing else', async () => {
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${metricsPort}/api/auth/me`)).status).toBe(404);
});

it('the doctor says what a proxy does not let through, and that TRUST_PROXY is not the number of proxies', async () => {
  const examine = async (proxies: number, trusted: number, refusing = {}) => {
    let url = server.url;
    for (let at = 0; at < proxies; at += 1) {
      const proxy = await startReverseProxy({ target: url, ...refusing });
      onTestFinished(() => proxy.close());
      url = proxy.url;
    }
    const settings = { ...server.settings, PUBLIC_URL: url, TRUST_PROXY: String(trusted) };
    const { stdout } = await runFabricaHere(['doctor', '--json'], settings);
    const { findings } = JSON.parse(stdout) as { findings: { name: string; state: string; text: string }[] };
    return {
      url,
      messages: findings.filter(({ name }) => name === 'proxy').map(({ state, text }) => `${state}: ${text}`),
    };
  };
  const well = await examine(2, 2);
  expect(well.messages).toEqual([
    `ok: ${well.url} leads to a node, and lets websockets and uploads through.`,
  ]);
  for (const [proxies, trusted] of [
    [1, 0],
    [2, 1],
  ] as const) {
    const tooFew = `failed: TRUST_PROXY is ${trusted}, but X-Forwarded-For has ${proxies} addresses: limits count all readers as one.`;
    expect((await examine(proxies, trusted)).messages).toEqual([expect.stringContaining(tooFew)]);
  }
  expect((await examine(1, 2)).messages).toEqual([
    expect.stringMatching(/^warning: .* they can choose the address that limits count\.$/),
  ]);
  const refusing = { passesWebsockets: false, largestBody: 1_000_000 };
  expect((await examine(1, 1, refusing)).messages).toEqual([
    'warning: Websockets do not get through: pages work, but do not update while they are open.',
    'failed: The proxy refuses bodies of 50 MB (status 413): uploads fail. Raise its limit to 55 MB.',
  ]);
});

it('a server whose collector is away ends as any other', async () => {
  const away = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    DEMO: 'off',
  });
  expect((await fetch(`${away.url}/gallery`)).status).toBe(200);
  expect(await away.stop()).toBe(0);
  await away.close();
});
