/** The journal's records as the client hands them over (docs/spec/product.md section 3). Times are epoch milliseconds. */

export interface JournalPost {
  id: string;
  userId: string;
  title: string;
  content: string;
  imageUrl: string;
  /** Pixels, as it is seen; null where it is not known, as of posts from before it was kept. */
  imageWidth: number | null;
  imageHeight: number | null;
  /** A thumbhash in base64, shown until the image is there; null where there is none. */
  imagePlaceholder: string | null;
  titleEn: string | null;
  titleEs: string | null;
  titleFr: string | null;
  titleDe: string | null;
  contentEn: string | null;
  contentEs: string | null;
  contentFr: string | null;
  contentDe: string | null;
  /** Where the original stands in for a translation that failed: `title:de,content:de`; null where nothing is missing. */
  untranslated: string | null;
  createdAt: number;
  updatedAt: number;
  published: number;
}

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

/** A comment with what the page shows beside it. */
export interface DisplayedComment extends PostComment {
  likes: number;
  hasLiked: boolean;
}
