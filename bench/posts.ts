import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';

const BATCH = 250;
const PARAGRAPH =
  'The chambers fill and empty, and the wall that drives them is fed before any other organ. '.repeat(6);

/** The time of the first post. Each further post is one millisecond younger. */
export const firstPostTime = 1_700_000_000_000;

/** The number of posts of each server, by its data folder. */
const made = new Map<string, number>();

/** Publishes posts, with these fields if given, through the REST database with the secret key, and returns their ids. */
export async function fillPosts(
  server: RunningServer,
  count: number,
  fields: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const rows = Array.from({ length: Math.min(BATCH, count - ids.length) }, () => ({
      ...nextPost(server),
      ...fields,
    }));
    const response = await fetch(`${server.url}/api/db/journal/rest/v1/journal_posts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await secretKeyOf(server)}` },
      body: JSON.stringify(rows),
    });
    if (!response.ok) throw new Error(`Filling failed: ${response.status} ${await response.text()}`);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

function nextPost({ dataDir }: RunningServer) {
  const number = (made.get(dataDir) ?? 0) + 1;
  made.set(dataDir, number);
  const title = `On the coronary vessels, part ${number}`;
  return {
    id: `post_${number}`,
    user_id: 'user_bench',
    title,
    content: PARAGRAPH,
    image_url: `/storage/journal/posts/${number}.webp`,
    title_en: title,
    title_es: title,
    title_fr: title,
    title_de: title,
    content_en: PARAGRAPH,
    content_es: PARAGRAPH,
    content_fr: PARAGRAPH,
    content_de: PARAGRAPH,
    created_at: firstPostTime + number,
    updated_at: firstPostTime + number,
    published: 1,
  };
}
