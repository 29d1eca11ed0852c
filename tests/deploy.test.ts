import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Meter } from '@fabrica/backend/meter';
import { expect, it } from 'vitest';
import { describeSettings } from '../scripts/describe-settings.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const REQUESTS = ['bucket', 'sum', 'count'].map((part) => `fabrica_http_request_duration_seconds_${part}`);

it('dashboard and alerts ask only for metrics that there are', () => {
  const known = new Set([...new Meter().registry.getMetricsAsArray().map(({ name }) => name), ...REQUESTS]);
  for (const path of ['deploy/grafana/dashboard.json', 'deploy/prometheus/alerts.yaml']) {
    const asked = [...read(path).matchAll(/\bfabrica_\w+/g)].map(([name]) => name);
    expect(asked.length).toBeGreaterThan(10);
    expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([]);
  }
});

const CLUSTER = 'deploy/compose.cluster.yaml';
const KUBERNETES = 'deploy/kubernetes/fabrica.yaml';
/** Matches what the files in deploy/ set for a server: as YAML, and as systemd and the image write it. */
const SET: Readonly<Record<string, RegExp>> = {
  'deploy/compose.yaml': /^ {6}([A-Z][A-Z\d_]+):/gm,
  [CLUSTER]: /^ {4}([A-Z][A-Z\d_]+):/gm,
  [KUBERNETES]: /- \{ name: ([A-Z][A-Z\d_]+),/g,
  'deploy/systemd/fabrica.service': /[ =]([A-Z][A-Z\d_]+)=/g,
  'deploy/Containerfile': /^ {2}([A-Z][A-Z\d_]+)=/gm,
};
const OF_THE_SYSTEM = /^(NODE_|MALLOC_|PATH$)/;

it('the files that run a server set only settings that there are', () => {
  const known = describeSettings().map(({ name }) => name);
  for (const [path, pattern] of Object.entries(SET)) {
    const named = [...read(path).matchAll(pattern)].map(([, name = '']) => name);
    expect(named.length, path).toBeGreaterThan(2);
    expect(named.filter((name) => !known.includes(name) && !OF_THE_SYSTEM.test(name))).toEqual([]);
  }
});
it('the images that are fetched name a version, and the store gets the key that nodes have', () => {
  const files = globSync('deploy/{*.yaml,Containerfile}', { cwd: ROOT }).map(read);
  const images = files.flatMap((text) => [...text.matchAll(/(?:image:|^FROM) (\S+\/\S+)/gm)]);
  expect(images.length).toBeGreaterThan(6);
  expect(images.map(([, name = '']) => name).filter((name) => !/:v?\d[\w.-]*$/.test(name))).toEqual([]);
  const cluster = read(CLUSTER);
  // The form that Garage takes.
  expect(cluster).toMatch(/S3_ACCESS_KEY_ID: &access-key GK[\da-f]{24}$/m);
  expect(cluster).toContain('GARAGE_DEFAULT_ACCESS_KEY: *access-key');
  const [, port] = /S3_ENDPOINT: http:\/\/store:(\d+)/.exec(cluster) ?? [];
  expect(read('deploy/garage.toml')).toContain(`api_bind_addr = "[::]:${port}"`);
});

it('each node of a cluster has the one secret, every host of the database, and time to stop', () => {
  const [cluster, kubernetes] = [read(CLUSTER), read(KUBERNETES)];
  expect(cluster).toMatch(/MASTER_KEY: \$\{MASTER_KEY:\?\}/);
  expect(kubernetes).toContain('name: MASTER_KEY, valueFrom: { secretKeyRef:');
  expect(cluster).toMatch(/DATABASE_URL: postgres:\S+@primary,replica\//);
  const number = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  const stopping = read('apps/journal/server/stop-on-signal.ts').replaceAll('_', '');
  const longest = (number(stopping, /INFLIGHTMS = (\d+)/) + number(stopping, /CLOSINGMS = (\d+)/)) / 1_000;
  const grace = [
    number(cluster, /stop_grace_period: (\d+)s/) - number(cluster, /DRAIN_DELAY_SECONDS: (\d+)/),
    number(kubernetes, /terminationGracePeriodSeconds: (\d+)/) -
      number(kubernetes, /DRAIN_DELAY_SECONDS, value: '(\d+)'/),
    number(read('deploy/compose.yaml'), /stop_grace_period: (\d+)s/),
  ];
  for (const seconds of grace) expect(seconds).toBeGreaterThan(longest);
});
it('proxies send a write only once to a node, and let uploads through', () => {
  const [haproxy, nginx, caddy] = ['haproxy.cfg', 'nginx.conf', 'Caddyfile'].map((name) =>
    read(`deploy/proxies/${name}`),
  );
  expect(haproxy).toMatch(/http-request disable-l7-retry unless METH_GET/);
  expect(nginx).not.toMatch(/non_idempotent/);
  expect(nginx).toMatch(/client_max_body_size 55m;/);
  expect(caddy).toMatch(/max_size 55MB/);
});
it('each alert names a runbook, and has its row among what alerts mean', () => {
  const text = read('deploy/prometheus/alerts.yaml');
  const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
  const [alerts, runbooks] = [find(/- alert: (\w+)/g), find(/runbook: (\S+)/g)];
  expect(alerts.length).toBeGreaterThan(10);
  expect(runbooks).toHaveLength(alerts.length);
  expect(runbooks.filter((path) => globSync(path, { cwd: ROOT }).length === 0)).toEqual([]);
  const rows = [...read('docs/operations/alerts.md').matchAll(/^\| \**(\w+)\** \|/gm)].map(
    ([, name]) => name,
  );
  expect(rows).toEqual(['alert', ...alerts]);
});

it('each alert comes in its test, and wakes people only for what readers feel', () => {
  const [rules, tests] = [read('deploy/prometheus/alerts.yaml'), read('deploy/prometheus/alerts.test.yaml')];
  const found = [...rules.matchAll(/- alert: (\w+)[\s\S]*?severity: (\w+)/g)].map(
    ([, name = '', severity]) => ({
      name,
      severity,
    }),
  );
  const comes = ({ name }: { name: string }) =>
    new RegExp(`alertname: ${name}\\n\\s+exp_alerts:\\n\\s+- exp_labels`).test(tests);
  expect(found.filter((alert) => !comes(alert))).toEqual([]);
  const critical = found.filter(({ severity }) => severity === 'critical').map(({ name }) => name);
  expect(critical.length).toBeLessThan(8);
  // Their page says the same.
  expect([...read('docs/operations/alerts.md').matchAll(/^\| \*\*(\w+)/gm)].map(([, name]) => name)).toEqual(
    critical,
  );
});

it('in Kubernetes, metrics are read for the job that the alerts name, and a backup is proved each day', () => {
  const [kubernetes, monitor] = [read(KUBERNETES), read('deploy/kubernetes/service-monitor.yaml')];
  const of = (kind: string) =>
    kubernetes.split('\n---\n').find((one) => one.includes(`\nkind: ${kind}\n`)) ?? '';
  expect(monitor).toMatch(/jobLabel: app\n {2}selector: \{ matchLabels: \{ metrics: fabrica \} \}/);
  expect(kubernetes).toMatch(/name: fabrica-metrics, labels: \{ app: fabrica, metrics: fabrica \}/);
  expect(of('NetworkPolicy')).toMatch(/- ports: \[\{ port: metrics \}\]\n +from: /);
  expect(of('CronJob')).toMatch(/args: \[fabrica, backup, .*--prove/);
  const images = [...kubernetes.matchAll(/image: (\S+)/g)].map(([, image]) => image);
  expect([images.length, new Set(images).size]).toEqual([2, 1]);
});

it('an engine that builds the image is not sent what was made or set on this machine', () => {
  const left = read('.dockerignore').split('\n');
  for (const name of ['.env', '.git', '.cache', 'data', 'backups', 'dist', '**/node_modules', '**/build'])
    expect(left).toContain(name);
  // Podman prefers the other name, and Docker does not know it.
  expect(globSync('.containerignore', { cwd: ROOT })).toEqual([]);
});

it('the image has its health check by the command that the runbook names, since Podman leaves it out otherwise', () => {
  expect(read('deploy/Containerfile')).toMatch(/^HEALTHCHECK /m);
  expect(read('docs/operations/running.md')).toContain('podman build --format docker ');
});

it('the service may list the addresses of its machine, which nothing is fetched from for users', () => {
  const [, families = ''] =
    /^RestrictAddressFamilies=(.*)$/m.exec(read('deploy/systemd/fabrica.service')) ?? [];
  expect(families.split(' ').sort()).toEqual(['AF_INET', 'AF_INET6', 'AF_NETLINK', 'AF_UNIX']);
});

it('a pod that migrates is not ended while it waits for a lock', () => {
  const [, period, times] =
    /startupProbe: .*periodSeconds: (\d+),.*failureThreshold: (\d+)/.exec(read(KUBERNETES)) ?? [];
  const source = read('packages/backend/src/database/engines/postgres/retry-while-locked.ts');
  const [, minutes] = /LONGEST_MS = (\d+) \* 60_000/.exec(source) ?? [];
  expect(Number(period) * Number(times)).toBeGreaterThan(Number(minutes) * 60);
});
