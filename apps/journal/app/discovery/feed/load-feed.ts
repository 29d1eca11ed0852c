import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FabricaClient } from '@fabrica/client';
import type { JournalPost } from '../../../project/entities.ts';
import type { Language } from '../../../project/languages.ts';
import type { ParseMarkdown } from '../../../project/markdown/parse-tree.ts';
import type { Profile } from '../../post/load-post.ts';
import { loadSlugs, type Slugs } from '../../post/post-address.ts';
import { type Credits, creditsOf, presentPost, type ShownPost } from '../../post/present-post.ts';

/** A post as its page shows it, with its addresses. */
export interface FeedPost extends ShownPost, Credits {
  slugs: Slugs;
}

interface LoadFeedOptions {
  client: FabricaClient;
  language: Language;
  parseMarkdown: ParseMarkdown;
  /** Called with errors of the authors' names, of the slugs and of single posts, without which the feed is sent. */
  reportFailure(error: unknown): void;
}

/** Posts of a feed at most, the newest ones. */
const MAX_POSTS = 20;

/** Loads the newest posts as readers of a language see them. Throws when the database cannot be reached. */
export async function loadFeed(options: LoadFeedOptions): Promise<FeedPost[]> {
  const { client, reportFailure } = options;
  const posts = await client.db
    .table<JournalPost>('journalPosts')
    .list({ where: { published: 1 }, orderBy: { createdAt: 'desc' }, limit: MAX_POSTS });
  const orNone = async <Value>(work: Promise<ReadonlyMap<string, Value>>) =>
    work.catch((error: unknown): ReadonlyMap<string, Value> => {
      reportFailure(error);
      return new Map();
    });
  const [profiles, slugs] = await Promise.all([
    orNone(loadProfiles(client, [...new Set(posts.map(({ userId }) => userId))])),
    orNone(
      loadSlugs(
        client,
        posts.map(({ id }) => id),
      ),
    ),
  ]);
  const shown: FeedPost[] = [];
  for (const post of posts) {
    try {
      const credits = creditsOf(post, profiles.get(post.userId) ?? null);
      shown.push({ ...(await presentPost(post, options)), ...credits, slugs: slugs.get(post.id) ?? {} });
    } catch (error) {
      reportFailure(error);
    }
    // Long texts are read one by one, so that other requests come between them.
    await nextTurn();
  }
  return shown;
}

async function loadProfiles(
  { db }: Pick<FabricaClient, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Profile>> {
  if (ids.length === 0) return new Map();
  const profiles = await db.table<Profile>('profiles').list({ where: { id: { in: [...ids] } } });
  return new Map(profiles.map((profile) => [profile.id, profile]));
}
