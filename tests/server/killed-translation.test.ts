import { connectForTest } from '@fabrica/backend/testing/database/connect-for-test.ts';
import { type Author, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { segmentsOf } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const PARAGRAPHS = Array.from(
  { length: 60 },
  (_, index) =>
    `N${index}. The heart of the body is a muscle, and it is in the middle of the chest for life.`,
);

let model: OpenAiStandIn;
let settings: Record<string, string>;
/** The first server, whose folder of data the second one takes over. */
let first: RunningServer;
let server: RunningServer;
let author: Author;

beforeAll(async () => {
  model = await startOpenAiStandIn();
  settings = {
    ...{ DEMO: 'off', RATE_LIMIT: 'off', PUBLIC_URL: 'http://localhost' },
    ...{ AI_BASE_URL: model.url, AI_TEXT_MODEL: 'small-model', AI_CONCURRENCY: '2' },
  };
  first = await startServer(settings);
  server = first;
  author = await signUp(server);
});
afterAll(async () => {
  await server.stop();
  await first.close();
  await model.close();
});

async function desk(method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}/api/desk/journal/${path}`, {
    method,
    headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as { id: string; state: string; words: { done: number; total: number } };
}

const textsThere = async (id: string) => {
  const rows = await serviceRest(server)('GET', `segment_translations?post_id=eq.${id}&limit=1000`);
  return ((await rows.json()) as { source_text: string }[]).map(({ source_text }) => source_text);
};

test('a translation goes on after its server was killed, and asks for no text that is there already', async () => {
  const document = { title: 'The heart of the body', content: PARAGRAPHS.join('\n\n'), language: 'en' };
  const { id } = await desk('POST', 'posts', { document });
  model.behave({ kind: 'segments', dripMs: 5 });
  await desk('POST', `posts/${id}/translations/translate`, { languages: ['de'] });
  const there = await vi.waitFor(
    async () => {
      const texts = new Set(await textsThere(id));
      expect(texts.size).toBeGreaterThan(10);
      return texts;
    },
    { timeout: 60_000 },
  );
  await server.stop('SIGKILL');
  model.reset();
  // The next server takes the job over once the lease of the killed one is over, which nobody has to wait for.
  const connection = await connectForTest(server.settings, 'journal');
  await connection.run(['UPDATE translation_jobs SET leased_until = 0']);
  await connection.close();

  server = await startServer(settings, server.dataDir);
  const job = await vi.waitFor(
    async () => {
      const found = await desk('GET', `posts/${id}/translations/job`);
      expect(found.state).toBe('done');
      return found;
    },
    { timeout: 60_000 },
  );
  const asked = model.calls.flatMap(({ prompt }) => segmentsOf(prompt));
  expect(asked.filter((text) => there.has(text))).toEqual([]);
  expect(new Set(asked).size).toBe(asked.length);
  expect(await textsThere(id)).toHaveLength(PARAGRAPHS.length + 1);
  expect(job.words.done).toBe(job.words.total);
}, 180_000);
