import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../../../testing/open-test-desk.ts';

let desk: TestDesk;
let ada: Person;
let eda: Person;
let postId: string;

beforeAll(async () => {
  desk = await openTestDesk({ environment: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
  ada = await desk.person('Ada', 'author');
  eda = await desk.person('Eda', 'editor');
  const document = buildDocument({
    content: 'Take 5 mg.\n\nCall **your** doctor.',
    contentFormat: 'markdown',
    translations: { de: { title: 'Das Herz', content: 'Nimm 5 mg.\n\nRuf **deine** Ärztin an.' } },
  });
  postId = (await desk.call(ada, 'POST', 'posts', { body: { document } })).body.id;
});
afterAll(() => desk.close());

const report = (changes = {}, as = ANONYMOUS) =>
  desk.call(as, 'POST', 'translations/reports', {
    body: {
      postId,
      language: 'de',
      quote: 'Ruf deine Ärztin an.',
      message: 'A doctor may be a man.',
      ...changes,
    },
  });

it('a reader without an account reports a passage once, and an editor sees it with its segment and resolves it', async () => {
  expect((await report()).status, 'a draft').toBe(404);
  await desk.call(ada, 'POST', `posts/${postId}/publish`, { version: 1, body: {} });
  const first = await report();
  expect(first.status).toBe(201);
  expect((await report()).body).toEqual(first.body);
  const listed = await desk.call(eda, 'GET', 'translations/reports');
  const { segments } = (await desk.call(ada, 'GET', `posts/${postId}/translations/de`)).body;
  expect(listed.body).toEqual({
    reports: [
      {
        ...{ id: first.body.id, postId, title: 'The heart', language: 'de', segmentId: segments[2].id },
        ...{ quote: 'Ruf deine Ärztin an.', message: 'A doctor may be a man.', createdAt: desk.clock.now },
      },
    ],
    total: 1,
    cursor: null,
  });
  const resolve = () => desk.call(eda, 'POST', `translations/reports/${first.body.id}/resolve`, { body: {} });
  expect((await resolve()).status).toBe(204);
  expect((await resolve()).status).toBe(404);
  expect((await desk.call(eda, 'GET', 'translations/reports')).body.reports).toEqual([]);
});

it('reports are for reviewers alone', async () => {
  expect((await desk.call(ada, 'GET', 'translations/reports')).status).toBe(403);
  expect((await desk.call(ANONYMOUS, 'GET', 'translations/reports')).status).toBe(401);
  expect((await desk.call(ada, 'POST', 'translations/reports/report_1/resolve', { body: {} })).status).toBe(
    403,
  );
});

it('a report needs a message, and a reader who sends many is asked to wait', async () => {
  expect((await report({ message: ' ' })).status).toBe(400);
  let last = await report({ quote: '' }, ada);
  expect(last.status).toBe(201);
  for (let sent = 0; sent < 30 && last.status === 201; sent += 1) last = await report({ message: `${sent}` });
  expect(last).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
});

it('a report is never refused for what others have sent: beyond their room, the words join one report', async () => {
  const total = async () => (await desk.call(eda, 'GET', 'translations/reports')).body.total;
  const before = await total();
  for (let network = 0; network < 12; network += 1) {
    for (let n = 0; n < 12; n += 1) {
      const from = { ...ANONYMOUS, ip: `198.18.${network}.1` };
      const sent = await report({ quote: '', message: `Noise ${network} ${n}` }, from);
      expect(sent.status).toBe(201);
    }
  }
  const rows = (await total()) - before;
  expect(rows).toBeGreaterThan(20);
  expect(rows, 'one network has a sixth, and all together 60').toBeLessThanOrEqual(62);
  const dose = { quote: 'Nimm 5 mg.', message: 'It has to be 50 mg.' };
  const sent = await report(dose, { ...ANONYMOUS, ip: '198.18.200.1' });
  expect(sent.status).toBe(201);
  const last = await report({ ...dose, message: 'Fifty!' }, { ...ANONYMOUS, ip: '198.18.0.1' });
  expect(last.status).toBe(201);
  const kept = await desk.rows(`translation_reports?id=eq.${last.body.id}`);
  expect(kept[0].message).toContain('Fifty!');
});
