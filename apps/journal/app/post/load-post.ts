import type { FabricaClient } from '@fabrica/client';
import type { JournalPost, PostComment, PostLike } from '../entities.ts';
import { postImage } from '../images/post-image.ts';
import type { DisplayedImage } from '../images/responsive-image.tsx';
import type { Language } from '../language/languages.ts';
import { localize } from '../language/localize.ts';

/** A post as its page shows it: in one language, with its counts. Times are epoch milliseconds. */
export interface PostPage {
  id: string;
  userId: string;
  title: string;
  content: string;
  image: DisplayedImage;
  createdAt: number;
  updatedAt: number;
  /** The author's public name; null when there is none. */
  author: string | null;
  likes: number;
  comments: number;
  /** Where the original stands in for a translation, as `parseParts` reads it; null where nothing is missing. */
  untranslated: string | null;
}

export interface Profile {
  id: string;
  displayName: string | null;
  photoUrl: string | null;
}

export interface LoadPostOptions {
  client: FabricaClient;
  language: Language;
  /** Told of what failed beside the post itself; the page is shown without it. */
  reportFailure(error: unknown): void;
}

const POST_ID = /^[\w-]{1,100}$/;

/** The post's page, or null when there is no such post; throws when the database cannot be asked. */
export async function loadPost(
  id: string,
  { client, language, reportFailure }: LoadPostOptions,
): Promise<PostPage | null> {
  if (!POST_ID.test(id)) return null;
  const post = await client.db.table<JournalPost>('journalPosts').get(id);
  if (!post) return null;
  const orElse = <T>(work: Promise<T>, otherwise: T) =>
    work.catch((error: unknown) => {
      reportFailure(error);
      return otherwise;
    });
  const [likes, comments, profile] = await Promise.all([
    orElse(client.db.table<PostLike>('postLikes').count({ where: { postId: id } }), 0),
    orElse(client.db.table<PostComment>('postComments').count({ where: { postId: id } }), 0),
    orElse(client.db.table<Profile>('profiles').get(post.userId), null),
  ]);
  const { userId, createdAt, updatedAt, untranslated } = post;
  const image = postImage(post, 'hero');
  const shown = { id, userId, image, createdAt, updatedAt, untranslated, likes, comments };
  return { ...shown, ...localize(post, language), author: profile?.displayName ?? null };
}
