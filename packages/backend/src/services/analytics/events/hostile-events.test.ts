import {
  buildPerson,
  setUpAnalytics,
  type TestAnalytics,
  type TestNode,
} from '@fabrica/backend/testing/analytics/build-test-analytics.ts';
import { describe, expect, it } from 'vitest';

const VIEW = { type: 'pageview', pathname: '/gallery' };

let analytics: TestAnalytics;
let node: TestNode;

setUpAnalytics((opened) => {
  ({ analytics, node } = opened);
});

const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
const ODD = ['\\u0000', '\\ud800', '\\uffff'].map((odd) => `"a${odd}":["${odd}",{"${odd}":"b${odd}"}]`);

describe('an event that is meant to do harm', () => {
  it.each([
    ['lies 10,000 deep', `"a":${DEEP}`, 400],
    ['has a number beyond all', '"screen_width":1e400', 400],
    ['has numbers that are absurd', '"screen_width":-1e300,"n":1e400,"m":-1e-400', 200],
    ['is of a time that is absurd', '"timestamp":"+275760-09-13T00:00:00.001Z"', 200],
    ['has names that objects have', '"__proto__":{"views":1},"constructor":{"prototype":{"views":1}}', 200],
    ['has properties that no text of PostgreSQL holds', ODD.join(), 200],
    [
      'has fields that no text of PostgreSQL holds',
      '"pathname":"/essay/\\u0000\\ud800","referrer":"https://a\\u0000.example","channel":"\\udc00","session_id":"\\u0000"',
      200,
    ],
    ['has SQL in it', `"pathname":"/essay/'); drop table essays; --","channel":"' or 1=1 --"`, 200],
  ])('is stored or refused: one that %s', async (_what, fields, status) => {
    const answer = await node.call('POST', '/log', { body: `{"events":[{"type":"pageview",${fields}}]}` });
    expect(answer.status).toBe(status);
    expect(await analytics.rows('analytics_events')).toHaveLength(status === 200 ? 1 : 0);
    expect((await node.insights(buildPerson('boss', 'admin'))).status).toBe(200);
  });
});

describe('events that wait', () => {
  it('are so many bytes at most, and there is room again afterwards', async () => {
    const small = analytics.open({ bytesWaiting: 50_000 });
    const large = { ...VIEW, list: Array.from({ length: 16 }, () => 'x'.repeat(256)) };
    const answers = await Promise.all(Array.from({ length: 30 }, () => small.log([large])));
    const [taken, refused] = [200, 503].map((status) => answers.filter((one) => one.status === status));
    expect(taken?.length).toBeGreaterThan(5);
    expect(refused?.length).toBe(30 - Number(taken?.length));
    expect(refused?.[0]?.headers.get('retry-after')).toBe('5');
    expect(await analytics.rows('analytics_events')).toHaveLength(Number(taken?.length));
    expect((await small.log([large])).status).toBe(200);
  });

  it('are on the disk when the server has stopped, and later ones are refused', async () => {
    const calls = [node.log([VIEW]), node.log([VIEW])];
    // They have been read, and the day's salt is looked up.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await node.close();
    expect(await analytics.rows('analytics_events')).toHaveLength(2);
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    const late = await node.log([VIEW]);
    expect([late.status, late.body.code]).toEqual([503, 'DATABASE_UNAVAILABLE']);
  });
});
