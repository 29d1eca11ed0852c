import {
  BROWSER,
  buildPerson,
  NOON,
  READER_IP,
  setUpAnalytics,
  type TestAnalytics,
  type TestNode,
} from '@fabrica/backend/testing/analytics/build-test-analytics.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const HOUR = 60 * 60 * 1_000;
const VIEW = { type: 'pageview', pathname: '/gallery' };

let analytics: TestAnalytics;
let node: TestNode;

setUpAnalytics((opened) => {
  ({ analytics, node } = opened);
});

/** Sends an event and returns the row that was stored. */
async function stored(event: object, headers: Record<string, string> = {}) {
  expect(await node.log([{ ...VIEW, ...event }], { headers })).toMatchObject({
    status: 200,
    body: { success: true },
  });
  const rows = await analytics.rows('analytics_events');
  expect(rows).toHaveLength(1);
  return rows[0];
}

describe('events that are sent', () => {
  it('an event is stored with its fields, and unknown fields become properties', async () => {
    const event = {
      type: 'read.completed',
      timestamp: new Date(NOON - HOUR).toISOString(),
      session_id: 'visit-1',
      pathname: '/essay/of-ada',
      referrer: 'https://news.example/story?token=secret#top',
      screen_width: 1280,
      language: 'de-CH',
      channel: 'Referral',
      utm_source: 'newsletter',
      depth: { percent: 100, parts: ['a', 'b'] },
    };
    const row = await stored(event);
    expect(row).toMatchObject({
      type: 'read.completed',
      happened_at: expect.toSatisfy((at) => Number(at) === NOON - HOUR),
      pathname: '/essay/of-ada',
      referrer: 'news.example',
      screen_width: expect.toSatisfy((width) => Number(width) === 1280),
      language: 'de',
      channel: 'referral',
    });
    expect(JSON.parse(row.properties)).toEqual({
      utm_source: 'newsletter',
      depth: { percent: 100, parts: ['a', 'b'] },
    });
  });

  it('an event may have null fields, as the public client sends them', async () => {
    const nothing = { user_id: null, user_email: null, session_id: null, referrer: null, channel: null };
    expect(await stored({ ...nothing, screen_width: null, utm_source: null })).toMatchObject({
      ...{ visit: null, referrer: null, channel: null, screen_width: null, properties: null },
    });
  });

  it.each([
    ['an empty body', '', 'INVALID_JSON'],
    ['an object instead of a list', { events: {} }, 'VALIDATION_FAILED'],
    ['101 events', { events: Array.from({ length: 101 }, () => VIEW) }, 'VALIDATION_FAILED'],
    ['an event without a type', { events: [{ pathname: '/' }] }, 'VALIDATION_FAILED'],
    [
      'a property that is nested too deeply',
      { events: [{ ...VIEW, a: { b: { c: { d: {} } } } }] },
      'VALIDATION_FAILED',
    ],
    [
      'more than 8 kB of properties',
      { events: [{ ...VIEW, list: Array(5_000).fill(1) }] },
      'VALIDATION_FAILED',
    ],
    [
      'too many properties',
      { events: [{ ...VIEW, ...Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`p${n}`, n])) }] },
      'VALIDATION_FAILED',
    ],
  ])('a request with %s is refused, and nothing is stored', async (_title, body, code) => {
    const response = await node.call('POST', '/log', { body });
    expect(response).toMatchObject({
      status: 400,
      body: { code, error: expect.stringMatching(/^The .+\.?$/) },
    });
    expect(await analytics.rows('analytics_events')).toEqual([]);
  });

  it('a request may have a hundred events, whose texts are cut at 256 characters', async () => {
    const event = {
      ...VIEW,
      pathname: `/${'p'.repeat(300)}`,
      note: 'n'.repeat(1_000),
      list: ['l'.repeat(300)],
    };
    expect((await node.log(Array.from({ length: 100 }, () => event))).status).toBe(200);
    const rows = await analytics.rows('analytics_events');
    expect(rows).toHaveLength(100);
    expect(rows[0].pathname).toBe(`/${'p'.repeat(255)}`);
    expect(JSON.parse(rows[0].properties)).toEqual({ note: 'n'.repeat(256), list: ['l'.repeat(256)] });
  });

  it('characters that a database cannot store are replaced', async () => {
    const { properties } = await stored({ note: `${'😀'.repeat(128)}`, odd: `a\0b${'x'.repeat(252)}😀` });
    expect(JSON.parse(properties)).toEqual({
      note: '😀'.repeat(128),
      odd: `a b${'x'.repeat(252)}\ufffd`,
    });
  });

  it.each([
    ['an hour ago', NOON - HOUR, NOON - HOUR],
    ['in the future', NOON + HOUR, NOON],
    ['three days ago', NOON - 72 * HOUR, NOON],
    ['that is not a date', 'yesterday', NOON],
  ])('an event with a time %s gets a plausible time', async (_title, sent, expected) => {
    const timestamp = typeof sent === 'number' ? new Date(sent).toISOString() : sent;
    expect(Number((await stored({ timestamp })).happened_at)).toBe(expected);
  });

  it.each([
    ['https://Search.Example:8443/find?q=me', 'search.example'],
    ['android-app://com.mail.app/inbox', 'com.mail.app'],
    ['social.example', 'social.example'],
    ['https://journal.example/gallery', null],
    ['https://app.example/', null],
    ['about:client', null],
    ['///', null],
  ])('the referrer %s is stored as %s', async (referrer, host) => {
    expect((await stored({ referrer })).referrer).toBe(host);
  });

  it.each([
    [{ language: 'FR' }, {}, 'fr'],
    [{}, { 'accept-language': 'es-MX,es;q=0.9,en' }, 'es'],
    [{ language: 'klingon' }, { 'accept-language': '*' }, null],
  ])('the language of the event %j with the headers %j is %s', async (event, headers, language) => {
    expect((await stored(event, headers)).language).toBe(language);
  });

  it.each([
    ['/gallery/?token=secret#top', '/gallery'],
    ['/', '/'],
    ['https://evil.example/', null],
  ])('the path %s is stored as %s', async (pathname, path) => {
    expect((await stored({ pathname })).pathname).toBe(path);
  });
});

describe('personal data', () => {
  it('nothing that identifies a reader is stored in any table', async () => {
    const call = {
      caller: buildPerson('ada'),
      headers: { 'user-agent': `${BROWSER} Unmistakable/7`, cookie: 'session=cookie-of-ada' },
    };
    const events = [
      {
        ...VIEW,
        session_id: 'visit-of-ada',
        user_id: 'user_ada',
        user_email: 'ada@example.org',
        userEmail: 'ada@example.org',
        utm_content: 'ada@example.org',
        note: 'write to ada@example.org',
        person: { email: 'ada@example.org', user_name: 'ada', ip: READER_IP, 'user-id': 'ada' },
        link: `/${'x'.repeat(240)}/ada@mail.example`,
        next: '/sign-in?next=%2Fletter%3Fto%3Dada%2540example.org',
        client_address: READER_IP,
        software: BROWSER,
        pathname: '/unsubscribe/ada%40example.org',
        referrer: 'https://mail.example/inbox/token-of-ada?q=ada@example.org',
      },
    ];
    expect((await node.log(events, call)).status).toBe(200);
    const tables = ['events', 'days', 'readers', 'salts'].map((name) => analytics.rows(`analytics_${name}`));
    const everything = JSON.stringify(await Promise.all(tables));
    for (const trace of ['ada', READER_IP, 'Unmistakable', 'Mozilla', 'Chrome', 'cookie', 'inbox', '@']) {
      expect(everything).not.toContain(trace);
    }
    expect(everything).toContain('mail.example');
  });
});

describe('readers who are not counted', () => {
  it.each([
    [
      'a crawler',
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    ],
    ['a command-line program', { 'user-agent': 'curl/8.5.0' }],
    ['a headless browser', { 'user-agent': BROWSER.replace('Chrome', 'HeadlessChrome') }],
    ['no user agent', { 'user-agent': '' }],
    ['a reader with Do Not Track', { dnt: '1' }],
    ['a reader with Global Privacy Control', { 'sec-gpc': '1' }],
    ['a page that is loaded ahead', { 'sec-purpose': 'prefetch;prerender' }],
  ])('events of %s are accepted but not stored', async (_title, headers: Record<string, string>) => {
    expect(await node.log([VIEW], { headers })).toMatchObject({ status: 200, body: { success: true } });
    for (const table of ['events', 'days', 'readers'])
      expect(await analytics.rows(`analytics_${table}`)).toEqual([]);
  });

  it('events that a server sends with the secret key are stored', async () => {
    await node.log([VIEW], { caller: { kind: 'service' }, headers: { 'user-agent': 'node' } });
    expect(await analytics.rows('analytics_events')).toHaveLength(1);
  });
});

describe('limits of an IP address', () => {
  it('an IP address may send 20,000 events a minute', async () => {
    const limited = analytics.open({ rateLimit: true });
    const hundred = { body: { events: Array.from({ length: 100 }, () => VIEW) }, headers: { dnt: '1' } };
    for (let call = 0; call < 200; call += 1)
      expect((await limited.call('POST', '/log', hundred)).status).toBe(200);
    const refused = await limited.call('POST', '/log', hundred);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.call('POST', '/log', { ...hundred, ipAddress: '203.0.113.8' })).status).toBe(200);
  });

  it('an IP address may send 30,000 events an hour, the secret key more', async () => {
    const limited = analytics.open({ rateLimit: true });
    const hundred = { body: { events: Array.from({ length: 100 }, () => VIEW) }, headers: { dnt: '1' } };
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const statuses = new Set<number>();
    for (let call = 0; call <= 300; call += 1) {
      if (call === 150) vi.setSystemTime(Date.now() + 61_000);
      statuses.add((await limited.call('POST', '/log', hundred)).status);
      if (call < 300) expect(statuses).toEqual(new Set([200]));
    }
    expect(statuses).toContain(429);
    const server = { ...hundred, caller: { kind: 'service' } as const, body: { events: [VIEW] } };
    vi.setSystemTime(Date.now() + 61_000);
    expect((await limited.call('POST', '/log', { ...server, headers: {} })).status).toBe(200);
  });
});
