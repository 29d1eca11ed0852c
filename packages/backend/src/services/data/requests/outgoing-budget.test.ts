import { buildTestData } from '@fabrica/backend/testing/data/build-test-data.ts';
import { expect, onTestFinished, test } from 'vitest';

async function openData(settings: NonNullable<Parameters<typeof buildTestData>[0]>['settings'] = {}) {
  const data = await buildTestData({ settings });
  onTestFinished(() => data.close());
  data.site.handler = (_, response) => response.setHeader('content-type', 'text/html').end('<p>Here.</p>');
  return data;
}

test.each(['fetch', 'scrape', 'extract-from-url', 'screenshot', 'search'])(
  'a new account has few calls of %s in a day, and is told when to come back',
  async (call) => {
    const data = await openData({ newAccountCalls: 2 });
    for (let turn = 0; turn < 2; turn += 1) await data.post('fetch', { url: data.at() }, 'new_ana');
    const { status, headers, body } = await data.post(call, { url: data.at(), q: 'x' }, 'new_ana');
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(body.error).toContain('Please verify your e-mail address');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    for (const caller of ['ben', 'ben', 'ben', 'new_cleo', 'service']) {
      expect((await data.post('fetch', { url: data.at() }, caller)).status).toBe(200);
    }
  },
);

test('the accounts of a project share their calls, and the operator is told at 80 % and at the end', async () => {
  const data = await openData({ projectDailyCalls: 5 });
  const statuses: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    statuses.push((await data.post('fetch', { url: data.at() }, `user_${turn}`)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect((await data.post('fetch', { url: data.at() }, 'service')).status).toBe(200);
  const lines = data.logged.map((line) => JSON.parse(line)).filter(({ setting }) => setting);
  expect(lines.map(({ level, setting, used, limit }) => [level, setting, used, limit])).toEqual([
    [40, 'calls to other servers', 4, 5],
    [50, 'calls to other servers', 5, 5],
  ]);
});
