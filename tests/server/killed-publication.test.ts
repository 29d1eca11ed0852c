import { setTimeout as pause } from 'node:timers/promises';
import { type Author, buildPost, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { requestDesk } from '@fabrica/test-peers/request-desk.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';

/** Tells how often the server is killed: `KILLS=50 npx vitest run tests/server/killed-publication.test.ts` is the long run. */
const KILLS = Number(process.env.KILLS ?? 2);

/** Tokens are for the server of one URL, whichever port it has. */
const SETTINGS = { DEMO: 'off', RATE_LIMIT: 'off', PUBLIC_URL: 'http://localhost' };

/** Milliseconds of a test: a start takes a fraction of a minute wherever it is run. */
const LONGEST_MS = KILLS * 60_000;

const LANGUAGES = ['en', 'es', 'fr', 'de'] as const;

/** The first server, whose folder of data the later ones take over. */
let first: RunningServer;
let server: RunningServer;
let author: Author;

beforeAll(async () => {
  first = await startServer(SETTINGS);
  server = first;
});
beforeEach(async () => {
  author = await signUp(server);
});
afterAll(async () => {
  await server.stop();
  await first.close();
});

const desk = (method: string, path: string, version?: number, body?: unknown) =>
  requestDesk(server, author, { method, path, version, body });

/** Builds a document each of whose texts names the revision. */
function documentOf(revision: number) {
  const long = `Revision ${revision}. `.repeat(2_000).trim();
  return {
    title: `Revision ${revision}`,
    content: long,
    contentFormat: 'markdown',
    language: 'en',
    translations: Object.fromEntries(
      LANGUAGES.map((language) => [
        language,
        { title: `${language} Revision ${revision}`, content: `${language} ${long}` },
      ]),
    ),
    cover: { url: '/storage/journal/posts/1.png', credit: `Revision ${revision}` },
    slugs: { en: `revision-${revision}` },
    byline: [{ name: `Revision ${revision}`, role: 'author' }],
    sources: [{ id: `r${revision}`, type: 'book', title: `Revision ${revision}` }],
  };
}

/** Returns the revisions that a value names: one, if it is whole. */
function revisionsIn(value: unknown): number[] {
  const named = [...JSON.stringify(value).matchAll(/Revision (\d+)/g)].map(([, number]) => Number(number));
  return [...new Set(named)];
}

/** Readers whose answers have not come, at most: a server takes no more connections of one address than 512. */
const MAX_WAITING = 100;

/**
 * Reads one path after the other so many times a second, whether a server answers or not. The function that it returns ends
 * this, and returns how many answers there were, and the faults of each.
 */
function readAllTheTime(
  paths: readonly string[],
  perSecond: number,
  faultsOf: (body: string) => readonly unknown[],
) {
  const faults: unknown[] = [];
  const waiting = new Set<Promise<void>>();
  const started = performance.now();
  let [sent, reads] = [0, 0];
  const read = async (path: string | undefined) => {
    const response = await fetch(`${server.url}${path}`).catch(() => undefined);
    const body = await response?.text().catch(() => undefined);
    // A server that starts or ends may refuse, but must not say that the post is not there.
    if (!response || body === undefined || response.status >= 500) return;
    faults.push(...(response.status === 200 ? faultsOf(body) : [response.status]));
    reads += 1;
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - started) * perSecond) / 1_000;
    for (; sent < due && waiting.size < MAX_WAITING; sent += 1) {
      const reading = read(paths[sent % paths.length]).finally(() => waiting.delete(reading));
      waiting.add(reading);
    }
  }, 5);
  onTestFinished(() => clearInterval(timer));
  return async () => {
    clearInterval(timer);
    await Promise.all(waiting);
    return { faults, reads };
  };
}

const rowOf = (id: string) => `/api/db/journal/rest/v1/journal_posts?id=eq.${id}`;

async function readAll(id: string) {
  const rest = serviceRest(server);
  const rows = async (path: string) => (await rest('GET', path)).json();
  const [post] = await rows(`journal_posts?id=eq.${id}`);
  const [draft] = await rows(`post_drafts?id=eq.${id}`);
  const [revision] = await rows(`post_revisions?id=eq.${draft.published_revision}`);
  const slugs = await rows(`post_slugs?post_id=eq.${id}&language=eq.en&current=eq.1`);
  return { post, draft, revision, slugs };
}

test(
  `readers see one revision whole after a server was killed ${KILLS} times while it published`,
  async () => {
    const created = await desk('POST', 'posts', undefined, { document: documentOf(0) });
    const { id } = (await created.json()) as { id: string };
    const started = performance.now();
    await desk('POST', `posts/${id}/publish`, 1, {});
    // The moments of the kills are spread over what a publication takes on this machine.
    const latest = 1.5 * (performance.now() - started);
    const stopReading = readAllTheTime([rowOf(id), `/post/${id}?lang=de`], 40, (body) => {
      const seen = revisionsIn(body);
      return seen.length === 1 ? [] : [seen];
    });
    const outcomes = { old: 0, new: 0 };
    let before = 0;
    for (let number = 1; number <= KILLS; number += 1) {
      const { version } = (await (await desk('GET', `posts/${id}`)).json()) as { version: number };
      const saved = await desk('PUT', `posts/${id}`, version, documentOf(number));
      expect(saved.status, await saved.clone().text()).toBe(200);
      const publication = desk('POST', `posts/${id}/publish`, version + 1, {}).then(
        ({ status }) => status,
        () => undefined,
      );
      await pause(Math.random() * latest);
      await server.stop('SIGKILL');
      const status = await publication;
      server = await startServer(SETTINGS, server.dataDir);

      const { post, draft, revision, slugs } = await readAll(id);
      const [seen] = revisionsIn(post);
      expect(revisionsIn(post)).toEqual([seen]);
      expect([before, number]).toContain(seen);
      // A publication that was answered is there.
      if (status === 200) expect(seen).toBe(number);
      expect(revisionsIn(JSON.parse(revision.document))).toEqual([seen]);
      expect(slugs).toMatchObject([{ id: `revision-${seen}` }]);
      expect(draft).toMatchObject({ state: 'published', changed: seen === number ? 0 : 1 });
      expect(revisionsIn(JSON.parse(draft.document))).toEqual([number]);
      const html = await (await fetch(`${server.url}/post/${id}?lang=de`)).text();
      expect(html).toContain(`de Revision ${seen}`);
      outcomes[seen === number ? 'new' : 'old'] += 1;
      before = seen ?? 0;
    }
    const { faults, reads } = await stopReading();
    expect(faults).toEqual([]);
    expect(reads).toBeGreaterThan(KILLS);
    expect(outcomes.old + outcomes.new).toBe(KILLS);
    // Of many kills some come before the commit, and some after it.
    if (KILLS >= 30) expect(Math.min(outcomes.old, outcomes.new)).toBeGreaterThan(0);
  },
  LONGEST_MS,
);

/** Builds a document in a language that nobody can tell, which is translated into all four. */
function releaseOf(number: number) {
  const text = (name: string) =>
    Array.from({ length: 40 }, (_, at) => `${name} ${at} Release ${number}`).join('\n\n');
  const translations = LANGUAGES.map((language) => [
    language,
    { title: `${language} Release ${number}`, content: text(language) },
  ]);
  const cover = { url: '/storage/journal/posts/1.png' };
  return {
    title: 'Xyz',
    content: text('xyz').replaceAll(/Release \d+/g, 'xyz'),
    translations: Object.fromEntries(translations),
    cover,
  };
}

const releasesIn = (value: unknown) => [...new Set(JSON.stringify(value).match(/(?<=Release )\d+/g) ?? [])];

test(
  `readers see no mixture of two releases while a server is killed ${KILLS} times at the release of four languages`,
  async () => {
    const created = await desk('POST', 'posts', undefined, { document: releaseOf(0) });
    const { id } = (await created.json()) as { id: string };
    const published = await desk('POST', `posts/${id}/publish`, 1, {});
    expect(published.status, await published.clone().text()).toBe(200);
    const stopReading = readAllTheTime([rowOf(id)], 200, (body) => {
      const [post] = JSON.parse(body) as Record<string, string>[];
      return LANGUAGES.map((language) => ({
        language,
        seen: releasesIn([post?.[`title_${language}`], post?.[`content_${language}`]]),
      })).filter(({ seen }) => seen.length !== 1);
    });
    const save = async (number: number) => {
      const { version } = (await (await desk('GET', `posts/${id}`)).json()) as { version: number };
      expect((await desk('PUT', `posts/${id}`, version, releaseOf(number))).status).toBe(200);
    };
    const releaseAll = () =>
      Promise.all(
        LANGUAGES.map((language) =>
          desk('POST', `posts/${id}/translations/${language}/release`, undefined, {}).then(
            ({ status }) => status,
            () => undefined,
          ),
        ),
      );
    await save(1);
    const started = performance.now();
    expect(await releaseAll()).toEqual([200, 200, 200, 200]);
    // The moments of the kills are spread over what a release of all takes on this machine.
    const latest = 1.5 * (performance.now() - started);
    const outcomes = { old: 0, new: 0 };
    for (let number = 2; number < KILLS + 2; number += 1) {
      await save(number);
      const releases = releaseAll();
      await pause(Math.random() * latest);
      await server.stop('SIGKILL');
      const statuses = await releases;
      server = await startServer(SETTINGS, server.dataDir);

      const { post } = await readAll(id);
      const facts = JSON.parse(post.translations);
      for (const [at, language] of LANGUAGES.entries()) {
        const { segments, releasedAt } = (await (
          await desk('GET', `posts/${id}/translations/${language}`)
        ).json()) as {
          segments: { text: string }[];
          releasedAt: number;
        };
        const [seen] = releasesIn([post[`title_${language}`], post[`content_${language}`]]);
        // The records have what was saved, and say of the release what readers are told of it.
        expect(releasesIn(segments.map(({ text }) => text))).toEqual([String(number)]);
        expect(facts[language].releasedAt).toBe(releasedAt);
        if (statuses[at] === 200) expect(seen).toBe(String(number));
        outcomes[seen === String(number) ? 'new' : 'old'] += 1;
        // What was not released before the kill is released now.
        const again = await desk('POST', `posts/${id}/translations/${language}/release`, undefined, {});
        expect(again.status).toBe(200);
      }
    }
    const { faults, reads } = await stopReading();
    expect(faults).toEqual([]);
    expect(reads).toBeGreaterThan(KILLS);
    if (KILLS >= 30) expect(Math.min(outcomes.old, outcomes.new)).toBeGreaterThan(0);
  },
  LONGEST_MS,
);

/** Creates that are sent at once, and those that are confirmed before the server is killed. */
const [AT_ONCE, CONFIRMED] = [32, 200];

test(
  'every row whose creation was confirmed is there after a server was killed among many creates',
  async () => {
    const rest = serviceRest(server);
    const killed = Promise.withResolvers<void>();
    const confirmed: string[] = [];
    let sent = 0;
    const createUntilKilled = async () => {
      for (;;) {
        sent += 1;
        const id = `killed_${sent}`;
        const response = await rest('POST', 'journal_posts', { ...buildPost(author), id }).catch(
          () => undefined,
        );
        if (response?.status !== 201) return;
        confirmed.push(id);
        if (confirmed.length === CONFIRMED) killed.resolve();
      }
    };
    const creating = Promise.all(Array.from({ length: AT_ONCE }, createUntilKilled));
    await Promise.race([killed.promise, creating]);
    await server.stop('SIGKILL');
    await creating;
    expect(confirmed.length).toBeGreaterThanOrEqual(CONFIRMED);
    server = await startServer(SETTINGS, server.dataDir);

    const found = await serviceRest(server)('GET', 'journal_posts?select=id&id=like.killed_*&limit=10000');
    const ids = new Set(((await found.json()) as { id: string }[]).map(({ id }) => id));
    expect(confirmed.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBeLessThanOrEqual(sent);
  },
  LONGEST_MS,
);
