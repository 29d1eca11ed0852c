import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { expect, it, onTestFinished } from 'vitest';
import { secureCookie, withHsts } from './https-only.ts';

it.each([
  ['https://journal.example', 'max-age=31536000'],
  ['http://localhost:3000', null],
])('responses of %s have the header Strict-Transport-Security: %s', async (publicUrl, header) => {
  const listener = getRequestListener(() => new Response('page', { headers: { 'x-own': '1' } }));
  const server = createServer(withHsts(listener, { publicUrl }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(headers.get('strict-transport-security')).toBe(header);
  expect(headers.get('x-own')).toBe('1');
});

it.each([
  ['https://journal.example', 'a=b; Path=/', 'a=b; Path=/; Secure'],
  ['https://journal.example', 'a=b; Secure; Path=/', 'a=b; Secure; Path=/'],
  ['http://localhost:3000', 'a=b; Path=/', 'a=b; Path=/'],
])('a cookie of a page of %s is secure where it can be: %s', (publicUrl, cookie, sent) => {
  expect(secureCookie(cookie, publicUrl)).toBe(sent);
});
