import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  buildAttackPage,
  buildReportingPolicy,
  WAYS,
} from '@fabrica/backend/testing/data/build-attack-page.ts';
import { chromiums, exists } from '@fabrica/backend/testing/data/find-processes.ts';
import pino from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createGate, type Gate } from '../../../fetcher/index.ts';
import { SCREENSHOT_LIMITS } from '../settings.ts';
import type { Browser } from './browser.ts';
import { createBrowser } from './browser.ts';
import type { ScreenshotRequest } from './take-screenshot.ts';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const log = pino({ level: 'silent' });
/** Our pages ask for what they need before they are loaded. */
const TIMEOUTS = { settle: 8_000, quiet: 50 };

/** A place that the operator has allowed. */
let site: Server;
let pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void>;
/** Listens, at TCP and UDP, where nothing of ours may ever connect to. */
let canary: TcpServer;
let datagrams: UdpSocket;
let touched: string[];
/** Hosts that the proxy was asked for, at the canary's port. */
let asked: Set<string>;
let answers: Record<string, string[]>;
let gate: Gate;
let browser: Browser;

const SOON = { timeout: 60_000 };
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const here = (path = '/') => `http://127.0.0.1:${portOf(site)}${path}`;
const html = (content: string) => (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(content);
const RED = '<!doctype html><body style="background: rgb(255, 0, 0)">';

beforeAll(async () => {
  canary = createTcpServer((socket) => {
    touched.push('tcp');
    socket.destroy();
  }).listen(0, '::');
  site = createServer((request, response) => {
    const page = pages[request.url?.split('?')[0] ?? ''];
    if (page) page(request, response);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  site.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.on('error', () => socket.destroy());
    socket.write(
      `HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
  });
  await Promise.all([once(canary, 'listening'), once(site, 'listening')]);
  datagrams = createSocket('udp6').bind(portOf(canary), '::');
  datagrams.on('message', () => touched.push('udp'));
  await once(datagrams, 'listening');

  const real = createGate({
    allowHosts: [`127.0.0.1:${portOf(site)}`],
    async resolver(host) {
      const address = host.endsWith('.canary.test') ? '127.0.0.1' : answers[host]?.shift();
      if (!address) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
      return [{ address, family: 4 }];
    },
  });
  gate = {
    ...real,
    resolve(host, port) {
      if (port === portOf(canary)) asked.add(host);
      return real.resolve(host, port);
    },
  };
  browser = createBrowser({
    gate,
    executable: CHROMIUM,
    environment: process.env,
    log,
    timeouts: TIMEOUTS,
    maxMegabytes: 500,
  });
});

afterAll(async () => {
  await browser.close();
  site.closeAllConnections();
  site.close();
  canary.close();
  datagrams.close();
});

beforeEach(() => {
  pages = {};
  answers = {};
  touched = [];
  asked = new Set();
});

function shoot(
  url: string,
  shot: Partial<ScreenshotRequest> & { by?: Browser; signal?: AbortSignal; account?: string } = {},
) {
  const { by = browser, signal = new AbortController().signal, account, ...rest } = shot;
  return by.screenshot({ url, fullPage: false, width: 400, height: 300, ...rest }, { signal, account });
}

/** Its size, and the colour of a pixel as hexadecimal digits. */
async function look(picture: Uint8Array, { x = 200, y = 200 } = {}) {
  const { width, height, format } = await sharp(picture).metadata();
  const pixel = sharp(picture).extract({ left: x, top: y, width: 1, height: 1 }).removeAlpha().raw();
  return { size: `${format} ${width} ${height}`, colour: (await pixel.toBuffer()).toString('hex') };
}

const appError = (code: string) => expect.objectContaining({ name: 'AppError', code });

test('a screenshot shows a page with its resources in the requested size', async () => {
  pages = {
    '/': html(`<link rel="stylesheet" href="/style.css"><img src="/square.svg" style="position: absolute; left: 0; top: 0">
      <script>const socket = new WebSocket('ws://' + location.host);
      socket.onopen = () => { document.body.insertAdjacentHTML('beforeend', '<style>body { background: #0000ff }</style>') }</script>`),
    '/style.css': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/css' }).end('body { background: #ff0000 }'),
    '/square.svg': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end(
          '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect fill="#00ff00" width="99" height="99"/></svg>',
        ),
  };
  const picture = await shoot(here());
  expect(await look(picture)).toEqual({ size: 'png 400 300', colour: '0000ff' });
  expect(await look(picture, { x: 50, y: 50 })).toMatchObject({ colour: '00ff00' });
});

test('a screenshot of the whole page includes images further down, and is cut off when it is too long', async () => {
  const tall = (height: number) =>
    `<!doctype html><body style="margin: 0"><div style="height: ${height - 100}px"></div>
    <img loading="lazy" src="/blue.svg" style="display: block; width: 100%; height: 100px">`;
  pages = {
    '/short': html(RED),
    '/long': html(tall(5_000)),
    '/endless': html(tall(3_000_000)),
    '/blue.svg': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end(
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" preserveAspectRatio="none"><rect fill="#0000ff" width="9" height="9"/></svg>',
        ),
  };
  const whole = (path: string, width = 400) => shoot(here(path), { fullPage: true, width });
  const [short, long, endless, wide] = await Promise.all([
    whole('/short'),
    whole('/long'),
    whole('/endless'),
    whole('/endless', 3_840),
  ]);
  expect(await look(short)).toEqual({ size: 'png 400 300', colour: 'ff0000' });
  expect(await look(long, { x: 200, y: 4_950 })).toEqual({ size: 'png 400 5000', colour: '0000ff' });
  expect(await look(endless)).toMatchObject({ size: 'png 400 10000' });
  expect(await look(wide)).toMatchObject({ size: 'png 3840 5208' });
});

test('a page that has an error status, opens dialogs and windows and downloads files is shown as it is', async () => {
  pages['/'] = (_, response) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end(
      `${RED}<a download href="/file"></a><script>document.querySelector('a').click();
      for (let i = 0; i < 2_000; i++) { alert(1); confirm(2); prompt(3) } print();
      for (let i = 0; i < 200; i++) open('/');
      Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {});
      onbeforeunload = (event) => event.preventDefault()</script>`,
    );
  pages['/file'] = (_, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end('abc');
  expect(await look(await shoot(here()))).toEqual({ size: 'png 400 300', colour: 'ff0000' });
});

test('a page cannot reach a private host by any means', async () => {
  const tried = Promise.withResolvers<void>();
  const all = WAYS.map((way) => `${way}.canary.test`);
  const looking = setInterval(() => all.every((host) => asked.has(host)) && tried.resolve(), 20);
  pages = {
    '/': (_, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'content-security-policy-report-only': buildReportingPolicy(portOf(canary)),
        })
        .end(buildAttackPage(portOf(canary))),
    '/away': (request, response) =>
      response
        .writeHead(302, { location: new URL(request.url ?? '', here()).searchParams.get('to') ?? '' })
        .end(),
    '/tried': (_, response) => tried.promise.then(() => response.end()),
    '/service-worker.js': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end('fetch("/worked")'),
    '/worked': () => touched.push('service worker'),
  };
  await shoot(here());
  clearInterval(looking);
  tried.resolve();
  expect([...asked]).toEqual(expect.arrayContaining(all));
  expect([...asked]).toEqual(
    expect.arrayContaining(['127.0.0.1', 'localhost', 'localhost.', '0.0.0.0', '[::1]', '[::ffff:7f00:1]']),
  );
  expect(touched).toEqual([]);
});

test.each([
  'http://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::1]:PORT/',
  'http://a.canary.test:PORT/',
  'http://169.254.169.254/latest/meta-data/',
])('a screenshot of %s is refused', async (template) => {
  const url = template.replace('PORT', String(portOf(canary)));
  await expect(shoot(url)).rejects.toEqual(appError('ADDRESS_REFUSED'));
  expect(touched).toEqual([]);
});

test('a page that leads to a private host, by redirect or by script, is refused', async () => {
  const to = `http://127.0.0.1:${portOf(canary)}/`;
  const tls = to.replace('http', 'https');
  // What goes by itself does so when it is loaded, and is to be waited for.
  const goesOn = `<script>fetch('/never')</script>`;
  pages = {
    '/301': (_, response) => response.writeHead(301, { location: to }).end(),
    '/307': (_, response) => response.writeHead(307, { location: tls }).end(),
    '/header': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', refresh: `0;url=${to}` }).end(goesOn),
    '/refresh': html(`<meta http-equiv="refresh" content="0;url=${to}">${goesOn}`),
    '/script': html(`<script>location = '${to}'</script><img src="/never">`),
    '/script-tls': html(`<script>location = '${tls}'</script><img src="/never">`),
    '/form': html(
      `<form action="${to}" method="post"></form><script>document.forms[0].submit()</script><img src="/never">`,
    ),
  };
  const paths = Object.keys(pages);
  pages['/never'] = () => undefined;
  // One at a time: on a busy machine, a page of seven may be taken before it goes on.
  for (const path of paths)
    await expect(shoot(here(path)), path).rejects.toEqual(appError('ADDRESS_REFUSED'));
  expect(touched).toEqual([]);
});

test('a host whose name resolves differently when it is connected to is refused', async () => {
  answers = { 'changing.test': ['93.184.216.34', '127.0.0.1'] };
  await expect(shoot(`http://changing.test:${portOf(canary)}/`)).rejects.toEqual(appError('ADDRESS_REFUSED'));
  expect(answers['changing.test']).toEqual([]);
  expect(touched).toEqual([]);
});

test.each([
  'file:///etc/passwd',
  'data:text/html,hello',
  'chrome://version',
  'view-source:http://example.com/',
  'javascript:1',
  'about:blank',
  'ftp://example.com/',
  'http://name:password@example.com/',
  'http://',
])('a screenshot needs a valid URL, unlike %s', async (url) => {
  await expect(shoot(url)).rejects.toEqual(appError('INVALID_URL'));
});

test('a page that does not load, or is a file, fails with a message that says so', async () => {
  pages = {
    '/file': (_, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end('abc'),
    '/broken': (request) => request.socket.destroy(),
    '/round': (_, response) => response.writeHead(302, { location: '/round' }).end(),
  };
  const urls = [...Object.keys(pages).map(here), 'http://nobody.test/', here().replace('http', 'https')];
  for (const url of urls) {
    await expect(shoot(url), url).rejects.toEqual(appError('FETCH_FAILED'));
  }
  await expect(shoot(here('/file'))).rejects.toThrow('leads to a file');
});

test('a page of two gigabytes is shown as far as it was loaded', async () => {
  let sent = 0;
  const piece = Buffer.alloc(1024 * 1024);
  pages = {
    '/': html(`${RED}<img src="/large">`),
    '/large': (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': String(2 ** 31) });
      const more = () => {
        while (!response.destroyed && sent < 2 ** 31) {
          sent += piece.length;
          if (!response.write(piece)) break;
        }
      };
      response.on('drain', more);
      more();
    },
  };
  expect(await look(await shoot(here()))).toMatchObject({ colour: 'ff0000' });
  expect(sent).toBeLessThan(80 * 1024 * 1024);
});

test('a page that does not respond or close is given up, and an idle browser ends', async () => {
  const shortTimeout = createBrowser({
    gate,
    executable: CHROMIUM,
    environment: process.env,
    log,
    timeoutMs: 1_500,
    idleMs: 1,
  });
  pages = { '/silent': () => undefined, '/busy': html(`${RED}<script>for (;;);</script>`) };
  const others = chromiums();
  const late = ['/silent', '/busy'].map((path) => shoot(here(path), { by: shortTimeout }));
  const expected = { status: 'rejected', reason: appError('FETCH_TIMEOUT') };
  expect(await Promise.allSettled(late)).toEqual([expected, expected]);
  await expect.poll(() => chromiums().filter((pid) => !others.includes(pid)), SOON).toEqual([]);
  await shortTimeout.close();
});

test('a page that keeps loading is shown, a call ends with its caller, and too many waiting calls are refused', async () => {
  const timeouts = { settle: 100, quiet: 50 };
  const few = createBrowser({
    gate,
    executable: CHROMIUM,
    environment: process.env,
    log,
    timeouts,
    limits: { ...SCREENSHOT_LIMITS, pages: 1 },
    waiting: 1,
  });
  const asksFor = Promise.withResolvers<void>();
  const leftAlone = Promise.withResolvers<void>();
  pages = {
    '/': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).write(RED),
    '/silent': (request) => {
      asksFor.resolve();
      request.socket.on('close', () => leftAlone.resolve());
    },
  };
  const caller = new AbortController();
  const first = shoot(here('/silent'), { by: few, signal: caller.signal });
  const second = shoot(here('/'), { by: few });
  await asksFor.promise;
  await expect(shoot(here('/'), { by: few })).rejects.toEqual(appError('RATE_LIMITED'));
  caller.abort(new Error('left'));
  await expect(first).rejects.toThrow('left');
  await leftAlone.promise;
  expect(await look(await second)).toMatchObject({ colour: 'ff0000' });

  const cut = shoot(here('/silent'), { by: few });
  const waits = shoot(here('/silent'), { by: few });
  const ended = Promise.allSettled([cut, waits]);
  await few.close();
  const reason = appError('BROWSER_NOT_AVAILABLE');
  expect(await ended).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  await expect(shoot(here('/'), { by: few })).rejects.toEqual(reason);
});

test('ten pages of one account that never end hold nobody else up, and each is closed in time', async () => {
  const shared = createBrowser({
    gate,
    executable: CHROMIUM,
    environment: process.env,
    log,
    timeouts: { settle: 60_000, quiet: 50 },
    limits: { pages: 2, pagesPerAccount: 1, waitingPerAccount: 8, pageMs: 4_000 },
  });
  onTestFinished(() => shared.close());
  const asksFor = Promise.withResolvers<void>();
  pages = { '/': html(RED), '/silent': () => asksFor.resolve(), '/loop': html('<script>for (;;);</script>') };
  const leaving = new AbortController();
  const { signal } = leaving;
  const endless = ['/silent', '/loop', ...Array.from({ length: 8 }, () => '/silent')].map((path) =>
    shoot(here(path), { by: shared, signal, account: 'ana' }),
  );
  const ended = Promise.allSettled(endless);
  await asksFor.promise;
  for (let turn = 0; turn < 3; turn += 1) {
    const shown = shoot(here(), { by: shared, account: 'ben' });
    const first = await Promise.race([shown.then(() => 'ben'), endless[1]?.catch(() => 'the second of ana')]);
    expect(first).toBe('ben');
  }
  for (const path of [0, 1]) await expect(endless[path]).rejects.toEqual(appError('FETCH_TIMEOUT'));
  leaving.abort(new Error('left'));
  const reasons = (await ended).map(
    (one) => one.status === 'rejected' && (one.reason.code ?? one.reason.message),
  );
  expect(reasons.filter((reason) => reason === 'RATE_LIMITED')).toHaveLength(1);
  expect(reasons.filter((reason) => reason === 'left')).toHaveLength(7);
});

test.runIf(existsSync('/proc'))('ends a page that takes too much memory', async () => {
  pages['/'] = html(`<script>
    const all = []; for (let i = 0; i < 12; i++) all.push(new Uint8Array(5e7).fill(1))</script><img src="/never">`);
  pages['/never'] = () => undefined;
  await expect(shoot(here())).rejects.toThrow('broke off');
});

test('a browser that was killed during a call starts again with the next one', async () => {
  const asksFor = Promise.withResolvers<void>();
  pages = { '/': html(RED), '/silent': () => asksFor.resolve() };
  const call = shoot(here('/silent'));
  await asksFor.promise;
  for (const pid of chromiums()) process.kill(pid, 'SIGKILL');
  await expect(call).rejects.toThrow('broke off');
  expect(await look(await shoot(here()))).toMatchObject({ colour: 'ff0000' });
});

test('the browser ends when the server is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'killed-server-'));
  pages = { '/': html(RED) };
  const code = `
    const { createBrowser } = await import('./packages/backend/src/services/data/browser/browser.ts');
    const { createGate } = await import('./packages/backend/src/fetcher/index.ts');
    const log = { warn() {}, error() {} };
    const gate = createGate({ allowHosts: ['127.0.0.1:${portOf(site)}'] });
    const browser = createBrowser({ gate, executable: ${JSON.stringify(CHROMIUM)}, environment: process.env, log });
    await browser.screenshot({ url: '${here()}', fullPage: false, width: 400, height: 300 }, { signal: new AbortController().signal });
    console.log('shown');
    setInterval(() => {}, 1_000);`;
  const server: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // What a killed server leaves behind.
    env: { ...process.env, TMPDIR: folder },
  });
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  if (!server.stdout || !server.pid) throw new Error('There is no such process.');
  await once(createInterface(server.stdout), 'line');
  const [pid] = chromiums(server.pid);
  if (!pid) throw new Error('It has no browser.');
  server.kill('SIGKILL');
  await expect.poll(() => exists(pid), SOON).toBe(false);
});

test('a screenshot fails with a message that says so when no browser is installed or it does not start', async () => {
  pages = { '/': html(RED) };
  const broken = createBrowser({ gate, executable: '/nowhere/chromium', log });
  const error = await shoot(here(), { by: broken }).catch((reason) => reason);
  expect(error).toEqual(appError('BROWSER_NOT_AVAILABLE'));
  expect(error.status).toBe(503);
  expect(error.message).not.toContain('/nowhere');
});
