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
  /** `markdown`; null and `plain` are plain text. */
  contentFormat: string | null;
  /** JSON of `CoverDetails` (`project/document.ts`); null when nothing is said about the image. */
  cover: string | null;
  /** JSON of a list of references in CSL-JSON. */
  sources: string | null;
  /** JSON of `Byline`; null for a post whose account is its one author. */
  byline: string | null;
  /** JSON of `ReleasedTranslations` (`project/translations.ts`); null when nothing is known of the translations. */
  translations: string | null;
  /** JSON of the pictures beside the image (`PostDocument['pictures']`); null for most posts. */
  pictures: string | null;
  /** `machine` says with a write who wrote the translations that it changes; the desk knows who wrote the present ones. */
  translatedBy: string | null;
  /** JSON of `DatedChanges` (`project/dated-changes.ts`); null while the words are those that readers had first. */
  datedChanges: string | null;
  createdAt: number;
  updatedAt: number;
  published: number;
}

/** An address of a post in a language: its id is the slug. */
export interface PostSlug {
  id: string;
  postId: string;
  language: string;
  /** 1 for the present address; another one leads to it. */
  current: number;
  createdAt: number;
}

/** A post as searches find it, by its texts in lower case and without accents. */
export type SearchablePost = Pick<
  JournalPost,
  | 'id'
  | 'userId'
  | `title${'' | 'En' | 'Es' | 'Fr' | 'De'}`
  | 'imageUrl'
  | 'imageWidth'
  | 'imageHeight'
  | 'imagePlaceholder'
  | 'language'
  | 'createdAt'
  | 'published'
> &
  Record<`text${'En' | 'Es' | 'Fr' | 'De'}`, string | null>;

/** The languages of a post, without its texts. */
export interface TranslatedPost extends Pick<JournalPost, 'id' | 'published' | 'createdAt'> {
  language: string | null;
  /** The codes of its translations, each with a comma behind it: `en,de,`. */
  translations: string;
  /** The beginning of the original, where its language is not known. */
  opening: string | null;
}

/** The sentence by which an author introduces themselves to readers of a language. */
export interface Introduction {
  id: string;
  userId: string;
  language: string;
  sentence: string;
}

export interface PostLike {
  id: string;
  postId: string;
  /** Null for visitors. */
  userId: string | null;
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
  /** Null for visitors. */
  userId: string | null;
  createdAt: number;
}

/** A comment with its likes and its author's photo. */
export interface DisplayedComment extends PostComment {
  likes: number;
  hasLiked: boolean;
  /** The photo URL of the author's account; null for none and for an anonymous comment. */
  photoUrl: string | null;
}

/** Says that an account accepts to be named in the byline of a post (`project/tables.ts`). */
export interface BylineConsent {
  id: string;
  postId: string;
  accountId: string;
  /** 1 once it has accepted. */
  accepted: number;
}

/** Holds what the operator has set about the site (`project/tables.ts`); null for what is left to the default. */
export interface SiteSettings {
  id: string;
  name: string | null;
  /** Language codes with commas between them, the default one first: `de,en`. */
  languages: string | null;
  accentLight: string | null;
  accentDark: string | null;
  logoUrl: string | null;
  logoWidth: number | null;
  logoHeight: number | null;
  aboutImageUrl: string | null;
  aboutImageWidth: number | null;
  aboutImageHeight: number | null;
  /** Epoch milliseconds. */
  updatedAt: number;
}

/** The operator's texts in the language that is the row's id; the longer ones are Markdown. */
export interface SiteTexts {
  id: string;
  tagline: string | null;
  aboutImageAlt: string | null;
  whoTitle: string | null;
  whoText: string | null;
  visionTitle: string | null;
  visionText: string | null;
  whyTitle: string | null;
  whyText: string | null;
  quoteText: string | null;
  quoteSource: string | null;
  contactText: string | null;
  imprint: string | null;
  privacy: string | null;
  /** Epoch milliseconds. */
  updatedAt: number;
}

/** The sections of the about page, in its order (docs/spec/product.md section 2), by the prefix of their columns. */
export const ABOUT_SECTIONS = ['who', 'vision', 'why'] as const;
export type AboutSectionName = (typeof ABOUT_SECTIONS)[number];
