import { Hono } from 'hono';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { AppEnvironment } from './environment.ts';
import { createLogOptions } from './log-options.ts';
import { createRequestIds } from './observed/request-ids.ts';
import { requestContext } from './request-context.ts';
import { createRequestLog } from './request-log.ts';

/** Calls an app behind `proxies` proxies; returns whom it saw, and what it logged. */
async function call(
  path: string,
  { proxies = 0, forwardedFor }: { proxies?: number; forwardedFor?: string },
) {
  const lines: string[] = [];
  const log = pino(createLogOptions(), { write: (line: string) => void lines.push(line) });
  const app = new Hono<AppEnvironment>();
  const requestIds = createRequestIds(proxies);
  app.use(requestContext({ log, logRequest: createRequestLog(log), trustedProxies: proxies, requestIds }));
  app.get('*', (c) => c.text(c.var.clientIp));
  const headers: Record<string, string> = forwardedFor ? { 'x-forwarded-for': forwardedFor } : {};
  const response = await app.request(
    path,
    { headers },
    { incoming: { socket: { remoteAddress: '192.0.2.1' } } },
  );
  return { ip: await response.text(), logged: lines.join('') };
}

describe('the IP address of a caller', () => {
  it.each([
    ['203.0.113.9', 0, '192.0.2.1'],
    ['203.0.113.9', 1, '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9', 1, '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9', 2, '198.51.100.1'],
    ['203.0.113.9', 2, '192.0.2.1'],
    ['203.0.113.9:40123', 1, '203.0.113.9'],
    ['[2001:db8::9]:40123', 1, '2001:db8::9'],
    ['[2001:db8::9]', 1, '2001:db8::9'],
    ['2001:db8::9', 1, '2001:db8::9'],
  ])('with %s behind %i proxies is %s', async (forwardedFor, proxies, ip) => {
    expect((await call('/api/auth/me', { proxies, forwardedFor })).ip).toBe(ip);
  });
});

describe('the line of a request in the log', () => {
  it('has the path, and neither its query nor the id of an app’s session', async () => {
    const id = 'app-0123456789abcdef';
    const { logged } = await call(`/api/auth/mobile-session/${id}?token=secret`, {});
    expect(JSON.parse(logged)).toMatchObject({ path: '/api/auth/mobile-session/…', status: 200 });
    expect(logged).not.toContain(id);
    expect(logged).not.toContain('secret');
  });

  it('has a greatest length, and says how long the path was', async () => {
    const { logged } = await call(`/${'x'.repeat(100_000)}`, {});
    expect(logged.length).toBeLessThan(1_500);
    expect(JSON.parse(logged).path).toMatch(/^\/x{999}… \(100001 characters\)$/);
  });
});
