/** The journal's records as the client returns them (docs/spec/product.md section 3). Times are epoch milliseconds. */

export interface JournalPost {
  id: string;
  userId: string;
  title: string;
  content: string;
  imageUrl: string;
  /** Pixels as displayed; null when unknown, as for posts from before the size was stored. */
  imageWidth: number | null;
  imageHeight: number | null;
  /** A thumbhash in base64 that is shown until the image has loaded; null when there is none. */
  imagePlaceholder: string | null;
  titleEn: string | null;
  titleEs: string | null;
  titleFr: string | null;
  titleDe: string | null;
  contentEn: string | null;
  contentEs: string | null;
  contentFr: string | null;
  contentDe: string | null;
  /** The fields whose translation failed and that hold the original, as `title:de,content:de`; null for none. */
  untranslated: string | null;
  /** The language that the original is written in; null when it is not known. */
  language: string | null;
  createdAt: number;
  updatedAt: number;
  published: number;
}

/** A post as searches find it, by its texts in lower case and without accents. */
export type SearchablePost = Omit<
  JournalPost,
  `content${'' | 'En' | 'Es' | 'Fr' | 'De'}` | 'updatedAt' | 'untranslated'
> &
  Record<`text${'En' | 'Es' | 'Fr' | 'De'}`, string | null>;

export interface PostLike {
  id: string;
  postId: string;
  userId: string;
  createdAt: number;
}

export interface PostComment {
  id: string;
  postId: string;
  userId: string;
  userName: string;
  content: string;
  createdAt: number;
}

export interface CommentLike {
  id: string;
  commentId: string;
  userId: string;
  createdAt: number;
}

/** A comment with its likes and its author's photo. */
export interface DisplayedComment extends PostComment {
  likes: number;
  hasLiked: boolean;
  /** The photo URL of the author's account; null for none and for an anonymous comment. */
  photoUrl: string | null;
}
