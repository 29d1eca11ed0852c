import type { FabricaClient } from '@fabrica/client';
import type { JournalPost, PostSlug } from '../entities.ts';
import { isLanguage, type Language } from '../language/languages.ts';

/** The slugs of a post by language, the present ones. */
export type Slugs = Readonly<Partial<Record<Language, string>>>;

type Database = Pick<FabricaClient, 'db'>;

/** Says what `/post/{slugOrId}` leads to: a post, or the path that has taken the place of this one. */
export type FoundPost = { post: JournalPost } | { movedTo: string };

const SLUG_OR_ID = /^[\w-]{1,100}$/;

/** Finds a post by its id or one of its slugs; `null` when there is none. */
export async function findPost(client: Database, slugOrId: string): Promise<FoundPost | null> {
  if (!SLUG_OR_ID.test(slugOrId)) return null;
  const posts = client.db.table<JournalPost>('journalPosts');
  const byId = await posts.get(slugOrId);
  if (byId) return { post: byId };
  const slug = await client.db.table<PostSlug>('postSlugs').get(slugOrId);
  if (!slug) return null;
  if (slug.current !== 1) return { movedTo: await presentPath(client, slug) };
  const post = await posts.get(slug.postId);
  return post && { post };
}

/** Returns the present slugs of posts, by the posts' ids. */
export async function loadSlugs(
  client: Database,
  postIds: readonly string[],
): Promise<ReadonlyMap<string, Slugs>> {
  const slugs = new Map<string, Record<string, string>>();
  const [first, ...others] = postIds;
  if (first === undefined) return slugs;
  const rows = await client.db.table<PostSlug>('postSlugs').list({
    // The cache of pages knows the rows of one post by this form.
    where: { postId: others.length === 0 ? first : { in: [...postIds] }, current: 1 },
    select: ['id', 'postId', 'language'],
    limit: 10_000,
  });
  for (const { id, postId, language } of rows) {
    slugs.set(postId, { ...slugs.get(postId), [language]: id });
  }
  return slugs;
}

/** Returns the path of a post's page in each language that has a slug. */
export function pathsOf(slugs: Slugs): Partial<Record<Language, string>> {
  return Object.fromEntries(Object.entries(slugs).map(([language, slug]) => [language, `/post/${slug}`]));
}

/** Returns where a slug that is no longer in use leads: to the present one of its language, with the language. */
async function presentPath(client: Database, { postId, language }: PostSlug): Promise<string> {
  const slugs = (await loadSlugs(client, [postId])).get(postId) ?? {};
  const slug = (isLanguage(language) && slugs[language]) || postId;
  return `/post/${slug}?lang=${language}`;
}
