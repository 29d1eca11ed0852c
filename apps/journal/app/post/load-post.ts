import type { FabricaClient } from '@fabrica/client';
import type { JournalPost, PostComment, PostLike } from '../entities.ts';
import { postImage } from '../images/post-image.ts';
import type { DisplayedImage } from '../images/responsive-image.tsx';
import { detectLanguage } from '../language/detect-language.ts';
import type { Language } from '../language/languages.ts';
import { contentLanguages, localize, shownLanguage } from '../language/localize.ts';
import { loadNeighbours, type Neighbours } from './neighbours/load-neighbours.ts';

/** Holds the data of a post's page in one language. Times are epoch milliseconds. */
export interface PostPage {
  id: string;
  userId: string;
  title: string;
  content: string;
  /** The languages of the shown title and content; `null` when they are not known. */
  titleLanguage: Language | null;
  textLanguage: Language | null;
  /** The languages in which the content exists, the original first; empty when they are not known. */
  languages: readonly Language[];
  image: DisplayedImage;
  createdAt: number;
  updatedAt: number;
  /** The author's public name; `null` when there is none. */
  author: string | null;
  /** The photo URL of the author's account. */
  authorPhoto: string | null;
  likes: number;
  comments: number;
  /** The missing translations, as `parseParts` reads them; `null` when there are none. */
  untranslated: string | null;
  neighbours: Neighbours;
}

export interface Profile {
  id: string;
  displayName: string | null;
  photoUrl: string | null;
}

export interface LoadPostOptions {
  client: FabricaClient;
  language: Language;
  /** Called with errors of the counts, the author's name and the neighbours, without which the page is shown. */
  reportFailure(error: unknown): void;
}

const POST_ID = /^[\w-]{1,100}$/;

/** Loads a post, or returns `null` when there is none. Throws when the database cannot be reached. */
export async function loadPost(
  id: string,
  { client, language, reportFailure }: LoadPostOptions,
): Promise<PostPage | null> {
  if (!POST_ID.test(id)) return null;
  const post = await client.db.table<JournalPost>('journalPosts').get(id);
  if (!post) return null;
  const orDefault = <T>(work: Promise<T>, value: T) =>
    work.catch((error: unknown) => {
      reportFailure(error);
      return value;
    });
  const [likes, comments, profile, neighbours] = await Promise.all([
    orDefault(client.db.table<PostLike>('postLikes').count({ where: { postId: id } }), 0),
    orDefault(client.db.table<PostComment>('postComments').count({ where: { postId: id } }), 0),
    orDefault(client.db.table<Profile>('profiles').get(post.userId), null),
    orDefault(loadNeighbours(post.createdAt, { client, language }), { newer: null, older: null }),
  ]);
  const { userId, createdAt, updatedAt, untranslated } = post;
  // Other clients do not store the language of the original.
  const written = { ...post, language: post.language ?? detectLanguage(post.content) };
  const image = postImage(post, 'hero');
  const fields = { id, userId, image, createdAt, updatedAt, untranslated, likes, comments, neighbours };
  return {
    ...fields,
    ...localize(post, language),
    titleLanguage: shownLanguage(written, 'title', language),
    textLanguage: shownLanguage(written, 'content', language),
    languages: contentLanguages(written),

    author: profile?.displayName ?? null,
    authorPhoto: profile?.photoUrl ?? null,
  };
}
