import {
  type AnalyticsTestCall,
  BROWSER,
  buildPerson,
  NOON,
  setUpAnalytics,
  type TestAnalytics,
  type TestNode,
} from '@fabrica/backend/testing/analytics/build-test-analytics.ts';
import { describe, expect, it } from 'vitest';
import { deleteCountsOf } from '../index.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const boss = buildPerson('boss', 'admin');
const ada = buildPerson('ada');
const ben = buildPerson('ben');
const eve = buildPerson('eve');

let analytics: TestAnalytics;
let node: TestNode;

setUpAnalytics((opened) => {
  ({ analytics, node } = opened);
});

const view = (pathname: string, more: object = {}) => ({ type: 'pageview', pathname, ...more });
const completed = (pathname: string) => ({ type: 'read.completed', pathname });
const reader = (ipAddress: string): AnalyticsTestCall => ({ ipAddress });
const figures = (views: number, readers: number, completedReads = 0) => ({ views, readers, completedReads });

async function totalsOf(caller = boss, query = '') {
  const { status, body } = await node.insights(caller, query);
  expect(status).toBe(200);
  return body.totals;
}

describe('insights', () => {
  it('insights count views, readers and completed reads by page, language, channel and referrer', async () => {
    const from = { language: 'de', channel: 'social', referrer: 'https://social.example/x' };
    await node.log(
      [
        view('/gallery', { language: 'en', channel: 'direct' }),
        view('/essay/of-ada', { language: 'en', channel: 'direct' }),
        completed('/essay/of-ada'),
        { type: 'opened.menu', pathname: '/gallery' },
      ],
      reader('203.0.113.1'),
    );
    await node.log([view('/essay/of-ada', from), view('/essay/of-ada', from)], reader('203.0.113.2'));
    const { body } = await node.insights(boss);
    expect(body).toMatchObject({
      ...{ from: '2026-10-22', to: '2026-11-20', scope: 'all' },
      totals: { ...figures(4, 2, 1), likes: 0 },
      pages: [
        { value: '/essay/of-ada', ...figures(3, 2, 1) },
        { value: '/gallery', ...figures(1, 1) },
      ],
      languages: [
        { value: 'de', ...figures(2, 1) },
        { value: 'en', ...figures(2, 1) },
      ],
      channels: [
        { value: 'direct', ...figures(2, 1) },
        { value: 'social', ...figures(2, 1) },
      ],
      referrers: [{ value: 'social.example', ...figures(2, 1) }],
    });
    expect(body.days).toHaveLength(30);
    expect(body.days.at(-1)).toEqual({ day: '2026-11-20', ...figures(4, 2, 1), likes: 0 });
    expect(body.days[0]).toEqual({ day: '2026-10-22', ...figures(0, 0), likes: 0 });
  });

  it('authors see the figures of their own pages only', async () => {
    await node.log([view('/essay/of-ada'), view('/essay/of-ben'), view('/gallery')]);
    await node.log([view('/essay/of-ben'), completed('/essay/of-ben')]);
    await analytics.database.writer
      .insertInto('likes')
      .values([
        { id: 'l1', essay_id: 'of-ada', created_at: NOON },
        { id: 'l2', essay_id: 'of-ben', created_at: NOON - 3 * DAY },
        { id: 'l3', essay_id: 'of-ben', created_at: NOON - 3 * DAY + HOUR },
        { id: 'l4', essay_id: 'of-ben', created_at: NOON - 90 * DAY },
      ])
      .execute();
    expect((await node.insights(ada)).body).toMatchObject({
      scope: 'own',
      totals: { ...figures(1, 1), likes: 1 },
      pages: [{ value: '/essay/of-ada', ...figures(1, 1) }],
    });
    const ofBen = (await node.insights(ben)).body;
    expect(ofBen).toMatchObject({ totals: { ...figures(2, 1, 1), likes: 2 } });
    expect(ofBen.days.at(-4)).toEqual({ day: '2026-11-17', ...figures(0, 0), likes: 2 });
    expect(await totalsOf(eve)).toEqual({ ...figures(0, 0), likes: 0 });
    expect(await totalsOf(boss)).toEqual({ ...figures(4, 1, 1), likes: 3 });
    expect(await totalsOf(boss, '?scope=own')).toEqual({ ...figures(0, 0), likes: 0 });
    expect(await totalsOf({ kind: 'service' })).toMatchObject(figures(4, 1, 1));
  });

  it('a page of a row without an owner is counted once, for all pages', async () => {
    const { writer } = analytics.database;
    const essays = [null, ''].map((user_id, index) => ({ id: `stray-${index}`, user_id }));
    await writer.insertInto('essays').values(essays).execute();
    try {
      expect((await node.log([view('/essay/stray-0'), view('/essay/stray-1')])).status).toBe(200);
      expect(await totalsOf()).toMatchObject(figures(2, 1));
    } finally {
      await writer.deleteFrom('essays').where('id', 'like', 'stray-%').execute();
    }
  });

  it('a page whose row does not exist is not counted', async () => {
    await node.log([view('/essay/nothing'), completed('/essay/nothing')]);
    const { body } = await node.insights(boss);
    expect([body.totals, body.pages]).toEqual([{ ...figures(0, 0), likes: 0 }, []]);
    expect(await analytics.rows('analytics_events')).toHaveLength(2);
  });

  it.each([
    ['an anonymous caller', { kind: 'anonymous' } as const, '', 401],
    ['an author who asks for all pages', ada, '?scope=all', 403],
    ['days in the wrong order', boss, '?from=2026-11-02&to=2026-11-01', 400],
    ['367 days', boss, '?from=2025-11-19&to=2026-11-20', 400],
    ['30 days before the year 0', boss, '?to=0000-01-01', 400],
    ['a day that does not exist', boss, '?from=2026-02-30', 400],
    ['a time instead of a day', boss, '?to=2026-02-03T00:00', 400],
    ['an unknown scope', boss, '?scope=theirs', 400],
    ['the secret key with scope=own', { kind: 'service' } as const, '?scope=own', 400],
  ])('insights are refused for %s', async (_title, caller, query, status) => {
    const response = await node.insights(caller, query);
    expect(response.status).toBe(status);
    expect(response.body.error).toMatch(/^[A-Z].+/);
  });

  it('insights contain exactly the days that are asked for', async () => {
    for (let day = 0; day < 4; day += 1) {
      await node.log([view('/gallery')]);
      analytics.moveClock(DAY);
    }
    const { body } = await node.insights(boss, '?from=2026-11-21&to=2026-11-22');
    expect(body.days).toEqual([
      { day: '2026-11-21', ...figures(1, 1), likes: 0 },
      { day: '2026-11-22', ...figures(1, 1), likes: 0 },
    ]);
    expect((await node.insights(boss, '?from=2025-11-20&to=2026-11-20')).body.days).toHaveLength(366);
  });
});

describe('readers', () => {
  it('a reader is counted once for each IP ipAddress and user agent', async () => {
    for (const ipAddress of ['203.0.113.1', '203.0.113.2', '203.0.113.1']) {
      await node.log([view('/gallery'), view('/gallery')], { ipAddress });
    }
    await node.log([view('/gallery')], {
      ipAddress: '203.0.113.1',
      headers: { 'user-agent': BROWSER.replace('140', '141') },
    });
    expect(await totalsOf()).toMatchObject(figures(7, 3));
  });

  it('a reader counts as another on the next day, and no stored hash connects the two', async () => {
    await node.log([view('/gallery', { session_id: 'v' })]);
    const before = await analytics.rows('analytics_readers');
    const [salt] = await analytics.rows('analytics_salts');
    analytics.moveClock(12 * HOUR);
    await node.log([view('/gallery', { session_id: 'v' })]);
    await node.deleteExpired();
    expect(await totalsOf()).toMatchObject(figures(2, 2));
    const after = await analytics.rows('analytics_readers');
    expect(after).toHaveLength(before.length);
    const hashes = (rows: { id: string }[]) => rows.map(({ id }) => id.slice(4));
    expect(hashes(before)).not.toContain(hashes(after)[0]);
    const salts = await analytics.rows('analytics_salts');
    expect(salts).toEqual([{ day: '2026-11-21', salt: expect.not.stringContaining(salt.salt) }]);
    const visits = (await analytics.rows('analytics_events')).map(({ visit }) => visit);
    expect(new Set(visits).size).toBe(2);
  });

  it('an event that arrives a day late counts on its own day', async () => {
    analytics.moveClock(12 * HOUR);
    await node.log([view('/gallery', { timestamp: new Date(NOON).toISOString() }), view('/gallery')]);
    const { body } = await node.insights(boss, '?from=2026-11-20&to=2026-11-21');
    expect(body.days).toMatchObject([figures(1, 1), figures(1, 1)]);
  });

  it('two nodes on one database count the same readers', async () => {
    const other = await analytics.openElsewhere();
    const calls = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? node : other).log([view('/essay/of-ada', { channel: `c${n % 3}` })], {
        ipAddress: `203.0.113.${n % 5}`,
      }),
    );
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    const { body } = await other.insights(ada);
    expect(body).toMatchObject({ totals: figures(20, 5), pages: [figures(20, 5)] });
    expect(body.channels).toHaveLength(3);
  });
});

describe('stored analytics', () => {
  it('storing events does not change the version of the database', async () => {
    await node.log([view('/gallery')]);
    const { database } = analytics;
    // Earlier commits of other connections are noticed a little later.
    let before = Number.NaN;
    await expect
      .poll(() => {
        const last = before;
        before = database.version() ?? Number.NaN;
        return before === last;
      })
      .toBe(true);
    for (let call = 0; call < 3; call += 1) {
      await node.log([view('/gallery')]);
      expect(database.version()).toBe(before);
    }
    await database.writer.insertInto('likes').values({ id: 'l', essay_id: 'e', created_at: 0 }).execute();
    expect(database.version()).not.toBe(before);
  });

  it('events are deleted after the retention, and their counts stay', async () => {
    await node.log(Array.from({ length: 100 }, () => view('/gallery')));
    analytics.moveClock(2 * DAY);
    await node.log([view('/gallery')]);
    const brief = analytics.open({ retention: 1 });
    await brief.deleteExpired();
    expect(await analytics.rows('analytics_events')).toHaveLength(1);
    expect(await totalsOf()).toMatchObject(figures(101, 2));
  });

  it('more events and readers than fit into one step are deleted', async () => {
    for (let call = 0; call < 12; call += 1)
      await node.log(Array.from({ length: 100 }, () => view('/gallery')));
    analytics.moveClock(91 * DAY);
    await node.deleteExpired();
    expect(await analytics.rows('analytics_events')).toEqual([]);
    expect(await analytics.rows('analytics_readers')).toEqual([]);
  });

  it('made-up values above the limit count as other, and existing pages by their name', async () => {
    for (let call = 0; call < 11; call += 1) {
      await node.log(Array.from({ length: 100 }, (_, n) => view(`/made-up/${call * 100 + n}`)));
    }
    await node.log([view('/essay/of-ada')]);
    const late = analytics.open();
    await late.log([view('/another')]);
    const pages = (await analytics.rows('analytics_days')).filter(
      ({ scope, dimension }) => scope === '' && dimension === 'page',
    );
    expect(pages).toHaveLength(1_002);
    expect(pages.find(({ value }) => value === 'other')).toMatchObject({
      views: expect.toSatisfy((views) => Number(views) === 101),
    });
    expect(pages.map(({ value }) => value)).toContain('/essay/of-ada');
  });

  it('events above the bytes of a day are counted but not stored', async () => {
    const small = analytics.open({ bytesPerDay: 1_000 });
    await small.log(Array.from({ length: 50 }, () => view('/gallery')));
    expect((await analytics.rows('analytics_events')).length).toBeLessThan(15);
    expect(await totalsOf()).toMatchObject(figures(50, 1));
    analytics.moveClock(DAY);
    const before = (await analytics.rows('analytics_events')).length;
    await small.log([view('/gallery')]);
    expect(await analytics.rows('analytics_events')).toHaveLength(before + 1);
  });

  it('all requests of a failed transaction are refused, and nothing of them is stored', async () => {
    const { writer } = analytics.database;
    await writer.schema.alterTable('analytics_days').renameTo('elsewhere').execute();
    try {
      const responses = await Promise.all([node.log([view('/gallery')]), node.log([view('/gallery')])]);
      expect(responses.map(({ status }) => status)).toEqual([500, 500]);
      expect(await analytics.rows('analytics_events')).toEqual([]);
    } finally {
      await writer.schema.alterTable('elsewhere').renameTo('analytics_days').execute();
    }
    expect((await node.log([view('/gallery')])).status).toBe(200);
  });

  it('an owner’s counts are deleted with the account, and still count for all pages', async () => {
    await node.log([view('/essay/of-ada')]);
    await analytics.database.writer
      .transaction()
      .execute((transaction) => deleteCountsOf(transaction, 'ada'));
    expect(await totalsOf(ada)).toMatchObject(figures(0, 0));
    expect(await totalsOf()).toMatchObject(figures(1, 1));
  });
});
