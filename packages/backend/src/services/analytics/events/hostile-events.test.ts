import {
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

describe('waiting events', () => {
  it('too many bytes of waiting events are refused until the others are stored', async () => {
    const small = analytics.open({ bytesWaiting: 50_000 });
    const large = { ...VIEW, list: Array.from({ length: 16 }, () => 'x'.repeat(256)) };
    const responses = await Promise.all(Array.from({ length: 30 }, () => small.log([large])));
    const [accepted, refused] = [200, 503].map((status) => responses.filter((one) => one.status === status));
    expect(accepted?.length).toBeGreaterThan(5);
    expect(refused?.length).toBe(30 - Number(accepted?.length));
    expect(refused?.[0]?.headers.get('retry-after')).toBe('5');
    expect(await analytics.rows('analytics_events')).toHaveLength(Number(accepted?.length));
    expect((await small.log([large])).status).toBe(200);
  });

  it('closing stores the accepted events and refuses later ones', async () => {
    const calls = [node.log([VIEW]), node.log([VIEW])];
    // Both requests have been parsed and read the day's salt.
    for (let tick = 0; tick < 20; tick += 1) await Promise.resolve();
    await node.close();
    expect(await analytics.rows('analytics_events')).toHaveLength(2);
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    const late = await node.log([VIEW]);
    expect([late.status, late.body.code]).toEqual([503, 'DATABASE_UNAVAILABLE']);
  });
});
