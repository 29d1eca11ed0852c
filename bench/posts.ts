import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';

const BATCH = 250;
const PARAGRAPH =
  'The chambers fill and empty, and the wall that drives them is fed before any other organ. '.repeat(6);

/** The time of the first post. Each further post is one millisecond younger. */
export const firstPostTime = 1_700_000_000_000;

let made = 0;

/** Publishes posts, with these fields if given, through the REST database with the secret key, and returns their ids. */
export async function fillPosts(
  server: RunningServer,
  count: number,
  fields: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const rows = Array.from({ length: Math.min(BATCH, count - ids.length) }, () => ({
      ...post(),
      ...fields,
    }));
    const response = await fetch(`${server.url}/api/db/journal/rest/v1/journal_posts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKeyOf(server)}` },
      body: JSON.stringify(rows),
    });
    if (!response.ok) throw new Error(`Filling failed: ${response.status} ${await response.text()}`);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

function post() {
  made += 1;
  const title = `On the coronary vessels, part ${made}`;
  return {
    id: `post_${made}`,
    user_id: 'user_bench',
    title,
    content: PARAGRAPH,
    image_url: `/storage/journal/posts/${made}.webp`,
    title_en: title,
    title_es: title,
    title_fr: title,
    title_de: title,
    content_en: PARAGRAPH,
    content_es: PARAGRAPH,
    content_fr: PARAGRAPH,
    content_de: PARAGRAPH,
    created_at: firstPostTime + made,
    updated_at: firstPostTime + made,
    published: 1,
  };
}
