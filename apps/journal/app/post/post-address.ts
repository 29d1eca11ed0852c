import type { FabricaClient } from '@fabrica/client';
import { SLUG } from '../../project/document-limits.ts';
import type { JournalPost, PostSlug } from '../../project/entities.ts';
import { isLanguage, LANGUAGE_CODES, type Language } from '../../project/languages.ts';

/** The slugs of a post by language, the present ones. */
export type Slugs = Readonly<Partial<Record<Language, string>>>;

type Database = Pick<FabricaClient, 'db'>;

/** Says what `/post/{slugOrId}` leads to: a post, or the path that has taken the place of this one. */
type FoundPost = { post: JournalPost } | { movedTo: string };

const SLUG_OR_ID = /^[\w-]{1,100}$/;

/**
 * Finds a post by one of its slugs or its id; `null` when there is none. What may be a slug is looked for among slugs first, since
 * few ids look like one: so a new post whose id is the slug of another one does not take its address. Such a post, which a client
 * of the API may create, has no page of its own until it is given a slug.
 */
export async function findPost(client: Database, slugOrId: string): Promise<FoundPost | null> {
  if (!SLUG_OR_ID.test(slugOrId)) return null;
  const isSlug = SLUG.test(slugOrId);
  const slug = isSlug ? await client.db.table<PostSlug>('postSlugs').get(slugOrId) : null;
  if (slug && slug.current !== 1) return { movedTo: await presentPath(client, slug) };
  const post = await client.db.table<JournalPost>('journalPosts').get(slug?.postId ?? slugOrId);
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
    // A post has one present slug for each language, at most. So few rows are read by one statement.
    limit: others.length === 0 ? LANGUAGE_CODES.length : 10_000,
  });
  for (const { id, postId, language } of rows) {
    slugs.set(postId, { ...slugs.get(postId), [language]: id });
  }
  return slugs;
}

/**
 * Returns where a post's page is: its paths in the languages that have a slug, and the one in all others, which has the slug of
 * the original. `languages` are those that the text exists in, the original first.
 */
export function addressOf({
  id,
  slugs,
  languages: [original],
}: {
  id: string;
  slugs: Slugs;
  languages: readonly Language[];
}): { path: string; paths: Partial<Record<Language, string>> } {
  return { path: `/post/${(original && slugs[original]) ?? id}`, paths: pathsOf(slugs) };
}

/** Returns where a post is read in a language: what is shared, and what stands in the address bar of a post with addresses in words. */
export function readingPath(post: Parameters<typeof addressOf>[0], language: Language): string {
  const { path, paths } = addressOf(post);
  return paths[language] ?? path;
}

/** Returns the path of a post's page in each language that has a slug. */
function pathsOf(slugs: Slugs): Partial<Record<Language, string>> {
  return Object.fromEntries(Object.entries(slugs).map(([language, slug]) => [language, `/post/${slug}`]));
}

/** Returns where a slug that is no longer in use leads: to the present one of its language, with the language. */
async function presentPath(client: Database, { postId, language }: PostSlug): Promise<string> {
  const slugs = (await loadSlugs(client, [postId])).get(postId) ?? {};
  const slug = (isLanguage(language) && slugs[language]) || postId;
  return `/post/${slug}?lang=${language}`;
}
