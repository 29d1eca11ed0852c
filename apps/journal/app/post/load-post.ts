import type { FabricaClient } from '@fabrica/client';
import type { BylineConsent, JournalPost, PostComment, PostLike } from '../../project/entities.ts';
import type { Language } from '../../project/languages.ts';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import { loadSlugs, type Slugs } from './post-address.ts';
import { type Credits, creditsOf, presentPost, type ShownPost } from './present-post.ts';
import { loadReadOn, NOTHING_TO_READ, type ReadOnPosts } from './read-on/load-read-on.ts';

/** Holds the data of a post's page in one language. */
export interface PostPage extends ShownPost, Credits {
  likes: number;
  comments: number;
  readOn: ReadOnPosts;
  /** The present slugs, by language. */
  slugs: Slugs;
}

export interface Profile {
  id: string;
  displayName: string | null;
  photoUrl: string | null;
}

interface LoadPostOptions {
  client: FabricaClient;
  language: Language;
  parseMarkdown: ParseMarkdown;
  /** Called with errors of the counts, the author's name and the posts to read on, without which the page is shown. */
  reportFailure(error: unknown): void;
}

/** Loads the page of a post, or returns `null` when there is none. Throws when the database cannot be reached. */
export async function loadPost(id: string, options: LoadPostOptions): Promise<PostPage | null> {
  const post = await options.client.db.table<JournalPost>('journalPosts').get(id);
  return post && loadPostPage(post, options);
}

/** Loads what stands around a post on its page. */
export async function loadPostPage(post: JournalPost, options: LoadPostOptions): Promise<PostPage> {
  const { id } = post;
  const { client, language, reportFailure } = options;
  const orDefault = <T>(work: Promise<T>, value: T) =>
    work.catch((error: unknown) => {
      reportFailure(error);
      return value;
    });
  const [shown, likes, comments, profile, readOn, slugs, accepted] = await Promise.all([
    presentPost(post, options),
    orDefault(client.db.table<PostLike>('postLikes').count({ where: { postId: id } }), 0),
    orDefault(client.db.table<PostComment>('postComments').count({ where: { postId: id } }), 0),
    orDefault(client.db.table<Profile>('profiles').get(post.userId), null),
    orDefault(loadReadOn(client, post, language), NOTHING_TO_READ),
    orDefault(loadSlugs(client, [id]), new Map<string, Slugs>()),
    orDefault(loadConsents(client, post), []),
  ]);
  const credits = creditsOf(post, profile, new Set([post.userId, ...accepted]));
  return { ...shown, ...credits, likes, comments, readOn, slugs: slugs.get(id) ?? {} };
}

/** Returns the accounts that accept to be named in the byline of a post. */
async function loadConsents(client: FabricaClient, { id, byline }: JournalPost): Promise<string[]> {
  if (!byline?.includes('"userId"')) return [];
  const where = { postId: id, accepted: 1 };
  const rows = await client.db
    .table<BylineConsent>('bylineConsents')
    .list({ where, select: ['id', 'accountId'] });
  return rows.map(({ accountId }) => accountId);
}
