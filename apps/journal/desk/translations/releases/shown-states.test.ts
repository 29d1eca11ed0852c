import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PostTranslations } from '../../../project/translations.ts';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../../testing/open-test-desk.ts';

/** What the desk says of a language, compared with what readers have, on a random walk over all that changes either. */

const WALKS = Number(process.env.WALKS ?? 3);
const STEPS = 25;

let model: OpenAiStandIn;
let desk: TestDesk;
let ada: Person;

beforeEach(async () => {
  model = await startOpenAiStandIn();
  desk = await openTestDesk({
    environment: { AI_BASE_URL: model.url, AI_TEXT_MODEL: 'small-model', RATE_LIMIT: 'off' },
  });
  ada = await desk.person('Ada', 'editor');
});
afterEach(async () => {
  await desk.close();
  await model.close();
});

const call = (method: string, path: string, options?: Parameters<TestDesk['call']>[3]) =>
  desk.call(ada, method, path, options);

/** Returns numbers below a bound, the same ones for each seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

/** The steps of a walk. Each returns whether it was carried out: a desk refuses some in some states. */
const ACTIONS: Record<string, (id: string, random: (below: number) => number) => Promise<number>> = {
  publish: async (id) =>
    (await call('POST', `posts/${id}/publish`, { version: await versionOf(id), body: {} })).status,
  unpublish: async (id) =>
    (await call('POST', `posts/${id}/unpublish`, { version: await versionOf(id) })).status,
  async edit(id, random) {
    const { version, document } = (await call('GET', `posts/${id}`)).body;
    const content = `The heart of the body is a muscle.\n\nWait for ${2 + random(40)} days in the house.`;
    return (await call('PUT', `posts/${id}`, { version, body: { ...document, content } })).status;
  },
  async schedule(id) {
    const body = { at: desk.clock.now + 60_000 };
    const { status } = await call('POST', `posts/${id}/publish`, { version: await versionOf(id), body });
    desk.clock.now += 60_000;
    // Another post that is scheduled has the schedule look at once.
    const { body: other } = await call('POST', 'posts', {
      body: { document: buildDocument({ language: 'de' }) },
    });
    await call('POST', `posts/${other.id}/publish`, { version: 1, body: { at: desk.clock.now + 1e9 } });
    await expect.poll(async () => (await call('GET', `posts/${id}`)).body.state).not.toBe('scheduled');
    return status;
  },
  release: async (id) => (await call('POST', `posts/${id}/translations/de/release`)).status,
  withdraw: async (id) => (await call('POST', `posts/${id}/translations/de/withdraw`)).status,
  hold: async (id) => (await call('POST', `posts/${id}/translations/de/hold`)).status,
  translate: async (id) => (await call('POST', `posts/${id}/translations/translate`, { body: {} })).status,
};

const versionOf = async (id: string): Promise<number> => (await call('GET', `posts/${id}`)).body.version;

/** Compares what the desk says of German with what readers have of it. */
async function compare(id: string, walked: string): Promise<void> {
  const [row] = await desk.rows(`journal_posts?id=eq.${id}`);
  const { languages } = (await call('GET', `posts/${id}/translations`)).body as PostTranslations;
  const german = languages.find(({ language }) => language === 'de');
  const { document } = (await call('GET', `posts/${id}`)).body;
  const hasGerman = row ? row.content_de !== null : document.translations.de !== undefined;
  const label = JSON.parse(row?.translations ?? '{}').de;
  const listed = (await call('GET', 'posts?language=de&limit=100')).body.posts;
  const queued = (await call('GET', 'translations/queue?language=de')).body.posts;
  const inQueue = queued.find(({ postId }: { postId: string }) => postId === id);
  expect(
    {
      released: german?.state === 'released',
      withdrawn: german?.state === 'withdrawn',
      label: label !== undefined,
      listed: listed.some((post: { id: string }) => post.id === id),
      queued: inQueue?.state ?? german?.state,
    },
    walked,
  ).toEqual({
    released: row !== undefined && hasGerman && german?.state !== 'held',
    withdrawn: german?.state === 'withdrawn' && !(row && hasGerman),
    label: row !== undefined && hasGerman,
    listed: hasGerman,
    queued: german?.state,
  });
}

it(`what the desk and its lists say of a language is what readers have, on ${WALKS} random walks`, async () => {
  for (let seed = 1; seed <= WALKS; seed += 1) {
    const random = randomNumbers(seed * 7_919);
    const names = Object.keys(ACTIONS);
    const document = buildDocument({
      content: 'The heart of the body is a muscle.\n\nWait for 4 days in the house.',
    });
    const { id } = (await call('POST', 'posts', { body: { document } })).body;
    const walked: string[] = [];
    const done = new Set<string>();
    for (let step = 0; step < STEPS; step += 1) {
      const name = names[random(names.length)] ?? '';
      const status = await ACTIONS[name]?.(id, random);
      walked.push(`${name} ${status}`);
      expect([200, 202, 400, 409], walked.join(', ')).toContain(status);
      if (status === 200) done.add(name);
      await expect
        .poll(async () => (await call('GET', `posts/${id}/translations/job`)).body?.state ?? 'done')
        .toMatch(/done|failed|cancelled/);
      await compare(id, walked.join(', '));
    }
    expect(done.size, walked.join(', ')).toBeGreaterThan(4);
  }
});
