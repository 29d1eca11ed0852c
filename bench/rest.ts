import { startServer } from '@fabrica/test-peers/start-server.ts';
import { type Figures, rate } from './figures.ts';
import { canVary, compareWithBare, latency } from './load.ts';
import { fillPosts, firstPostTime } from './posts.ts';

export const TABLE = '/api/db/journal/rest/v1/journal_posts';
export const POST = `${TABLE}?id=eq.post_`;
export const LIST = `${TABLE}?select=id,title,title_en,title_es,title_fr,title_de,image_url,created_at&published=eq.1&order=created_at.desc&limit=24`;
const ratio = (value: number) => ({ value, better: 'atLeast', unit: '' }) as const;

/** Measures reads over REST. */
export async function benchRest(figures: Figures): Promise<void> {
  const server = await startServer({ DEMO: 'off' });
  const origin = server.url.replace('localhost', '127.0.0.1');
  // Each list begins at another post, so that none comes from memory.
  const lists = (newest: number) =>
    Array.from(
      { length: 400 },
      (_, index) => `${origin}${LIST}&created_at=lt.${firstPostTime + newest - index}`,
    );
  try {
    await fillPosts(server, 1_000);
    const small = await latency(lists(1_000));
    await fillPosts(server, 9_000);
    const list = await compareWithBare(`${origin}${LIST}`);
    figures.note(
      'gallery list over REST, 24 of 10,000 posts',
      list.ratio,
      ratio(0.5),
      rate(list),
      list.noise,
    );
    const point = await compareWithBare(`${origin}${POST}5000`);
    figures.note('one post by id over REST', point.ratio, ratio(0.5), rate(point), point.noise);
    await fillPosts(server, 90_000);
    const large = await latency(lists(100_000));
    const times = ` (${large.toFixed(2)} and ${small.toFixed(2)} ms)`;
    const goal = { value: 1.3, better: 'atMost', unit: '' } as const;
    figures.note('list latency, 100,000 posts against 1,000', large / small, goal, times);
    await benchLarge(origin, figures);
  } finally {
    await server.close();
  }
}

/** Measures both kinds of reads of 100,000 posts: cached ones, and requests for another post each, which are not cached. */
async function benchLarge(origin: string, figures: Figures): Promise<void> {
  const posts = 100_000;
  const list = await compareWithBare(`${origin}${LIST}`);
  figures.note('list of 24 from 100,000 posts', list.ratio, ratio(0.5), rate(list), list.noise);
  const point = await compareWithBare(`${origin}${POST}5000`);
  figures.note('one post of 100,000 by id', point.ratio, ratio(0.5), rate(point), point.noise);
  if (!canVary) return;
  const lists = await compareWithBare(`${origin}${LIST}`, {
    varied: { template: `${LIST}&created_at=lt.@TIME`, posts },
  });
  figures.note(
    'list of 24 from 100,000 posts, each request for another',
    lists.ratio,
    ratio(0.15),
    rate(lists),
    lists.noise,
  );
  const points = await compareWithBare(`${origin}${POST}5000`, { varied: { template: `${POST}@ID`, posts } });
  figures.note(
    'one post of 100,000 by id, each request for another',
    points.ratio,
    ratio(0.2),
    rate(points),
    points.noise,
  );
}
