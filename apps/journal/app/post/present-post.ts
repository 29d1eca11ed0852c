import type { Root } from 'mdast';
import { type DatedChange, findChange } from '../../project/dated-changes.ts';
import type { CoverDetails, PostDocument } from '../../project/document.ts';
import type { JournalPost } from '../../project/entities.ts';
import { isLanguage, type Language } from '../../project/languages.ts';
import { contentLanguages, localize, shownLanguage } from '../../project/localize.ts';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import { lettersOf, noteOf, type PlateMark, readShape, type Shape } from '../../project/marks.ts';
import { shorten } from '../../project/shorten.ts';
import type { Byline } from '../desk/document.ts';
import { isBright, placeholderImage } from '../images/placeholder-image.ts';
import { coverDetailsOf, postImage } from '../images/post-image.ts';
import type { DisplayedImage } from '../images/responsive-image.tsx';
import type { PostText } from '../markdown/read-text.ts';
import type { ShownTranslation } from './translation/shown-translation.ts';

/** A post as its text and its image are shown in one language. Times are epoch milliseconds. */
export interface ShownPost {
  id: string;
  userId: string;
  title: string;
  /** The text as it is shown; the first words of one that is more than plain, for descriptions. */
  content: string;
  /** The text as it is shown, where it is more than plain; `null` for a plain text. */
  text: PostText | null;
  /** Whether `content` is the text as it is shown. */
  isPlain: boolean;
  words: number;
  /** The languages of the shown title and content; `null` when they are not known. */
  titleLanguage: Language | null;
  textLanguage: Language | null;
  /** The languages in which the content exists, the original first; empty when they are not known. */
  languages: readonly Language[];
  /** Says what is known of the shown text; `null` when it is the original. */
  translation: ShownTranslation | null;
  image: DisplayedImage;
  imageWords: ImageWords;
  /** The pictures beside the image; most posts have none. */
  pictures?: readonly ShownPicture[];
  createdAt: number;
  updatedAt: number;
  /** Says when the words of this language changed last, and of the original what about; `null` where they are the first. */
  change: DatedChange | null;
  /** The missing translations, as `parseParts` reads them; `null` when there are none. */
  untranslated: string | null;
}

/** A picture beside a post's image, with what is said about it. */
export interface ShownPicture {
  image: DisplayedImage;
  words: ImageWords;
}

/** Holds what is said about a post's image in one language; empty where nothing is. */
export interface ImageWords {
  alt: string;
  /** The language of the alternative text and of the caption, where it is not the page's. */
  altLanguage?: Language;
  caption: string;
  captionLanguage?: Language;
  credit: string;
  licence: string;
  /** The long description, where there is one, and its language, where it is not the page's. */
  description?: string;
  descriptionLanguage?: Language;
  /** The marks on the picture, where it has some. */
  marks?: readonly ShownMark[];
}

/** A mark on a picture that has a passage in the shown text, a note, or both. */
export interface ShownMark {
  letter: string;
  shape: Shape;
  /** Empty where there is none. */
  note: string;
  noteLanguage?: Language;
  /** The first words of its passage; empty where there is none. */
  passage: string;
}

/** Says who made a post. */
export interface Credits {
  /** The public name of the account; `null` when there is none. */
  author: string | null;
  /** The photo URL of the account. */
  authorPhoto: string | null;
  /** The names that stand above the text in place of the account's, in order; empty for most posts. */
  byline: readonly Named[];
}

/** A person of a byline. An account that has not accepted to be named there has its name in plain text alone. */
export type Named = Byline[number] & { isAsked?: true };

/** Holds the code that is loaded with the first text that needs it: to import it for each page takes as long as what it does. */
const lazyModules: {
  text?: typeof import('../markdown/read-text.ts');
  translation?: typeof import('./translation/shown-translation.ts');
  language?: typeof import('../language/guess-language.ts');
} = {};

/** A page holds so many characters of a text's plain words, which is more than descriptions take. */
const SUMMARY_LENGTH = 400;
/** A page holds so many characters of a passage that a mark belongs to, beside those in the text. */
const PASSAGE_LENGTH = 200;
/** Pixels of the longer side of a placeholder, which is in the page itself. */
const PLACEHOLDER_SIZE = 14;

/** Returns a post as it is shown in a language. */
export async function presentPost(
  stored: JournalPost,
  { language, parseMarkdown: parse }: { language: Language; parseMarkdown: ParseMarkdown },
): Promise<ShownPost> {
  const localized = localize(stored, language);
  const isMarkdown = stored.contentFormat === 'markdown';
  const written = isMarkdown ? await parse(stored.content.trim()) : null;
  const tree = written && (await parse(localized.content));
  const post = tree ? stored : { ...stored, contentFormat: null };
  const { id, userId, createdAt, updatedAt } = post;
  const original = post.language ?? (await guessOriginal(post.content));
  // Nothing is missing in the original's own language, whatever another program has stored.
  const missing = post.untranslated?.split(',').filter((part) => !part.endsWith(`:${original}`)) ?? [];
  const untranslated = missing.length > 0 ? missing.join(',') : null;
  const inOriginal = { ...post, language: original };
  const source = isLanguage(original) ? original : null;
  const translation = await loadTranslation(post, { language, source, parse });
  const change = findChange(post.datedChanges, language);
  const cover = coverDetailsOf(post.cover);
  const pictures = post.pictures ? (JSON.parse(post.pictures) as PostDocument['pictures']) : [];
  const letters = new Set(lettersOf([cover, ...pictures]));
  const { passages, ...text } = await loadText(post, localized.content, {
    ...{ tree, language, letters, changed: translation?.changed ?? [] },
  });
  const said = {
    own: post.language,
    language,
    passages,
    lost: await lostPassages(written, [cover, ...pictures], passages),
  };
  return {
    ...{ id, userId, createdAt, updatedAt, untranslated },
    // The author's sentence is not translated: it is for readers of the original.
    change: translation && change ? { ...change, note: null } : change,
    image: postImage(post, 'hero'),
    imageWords: wordsOf(cover, said),
    ...(pictures.length > 0 && { pictures: picturesOf(pictures, said) }),
    title: localized.title,
    ...text,
    translation,
    titleLanguage: shownLanguage(inOriginal, 'title', language),
    textLanguage: shownLanguage(inOriginal, 'content', language),
    languages: contentLanguages(inOriginal),
  };
}

/** Returns who made a post, with the accounts that accept to be named. The server has checked the people that it names before it stored them. */
export function creditsOf(
  { byline }: Pick<JournalPost, 'byline'>,
  account: { displayName: string | null; photoUrl: string | null } | null,
  accepted: ReadonlySet<string> = new Set(),
): Credits {
  const people: Byline = byline ? JSON.parse(byline) : [];
  const isAsked = ({ userId }: Byline[number]) => userId !== undefined && !accepted.has(userId);
  return {
    author: account?.displayName ?? null,
    authorPhoto: account?.photoUrl ?? null,
    byline: people.map((person) => (isAsked(person) ? { ...person, isAsked: true } : person)),
  };
}

interface Said {
  /** The language of the original, as it is stored. */
  own: string | null;
  /** The reader's. */
  language: Language;
  /** The words of the passages of the shown text, by their letters. */
  passages: ReadonlyMap<string, string> | undefined;
  /** The words in the original of passages that the shown text has lost. */
  lost: ReadonlyMap<string, string> | undefined;
}

/** Returns the words in the language, or in that of the original where there are none. What older versions have stored says less. */
function wordsOf(details: Partial<CoverDetails> | null, { own, language, passages, lost }: Said): ImageWords {
  const { alt = {}, caption = {}, credit = '', licence = '', description = {}, marks = [] } = details ?? {};
  const original = isLanguage(own) ? own : language;
  const isForeign = (words: typeof alt) => !words[language] && Boolean(words[original]);
  return {
    alt: alt[language] || alt[original] || '',
    ...(isForeign(alt) && { altLanguage: original }),
    caption: caption[language] || caption[original] || '',
    ...(isForeign(caption) && { captionLanguage: original }),
    credit,
    licence,
    ...(Object.keys(description).length > 0 && {
      description: description[language] || description[original] || '',
      ...(isForeign(description) && { descriptionLanguage: original }),
    }),
    ...(marks.length > 0 && { marks: marks.flatMap(shownMark) }),
  };

  function shownMark(mark: PlateMark): ShownMark[] {
    const shape = readShape(mark.target.selector.value);
    const passage = shorten(passages?.get(mark.id) ?? '', PASSAGE_LENGTH);
    const own = noteOf(mark, language);
    const note =
      own ||
      noteOf(mark, original) ||
      (passage === '' ? shorten(lost?.get(mark.id) ?? '', PASSAGE_LENGTH) : '');
    if (!shape || (passage === '' && note === '')) return [];
    return [{ letter: mark.id, shape, note, passage, ...(note !== own && { noteLanguage: original }) }];
  }
}

/**
 * Returns the words in the original of the passages that a translation has lost, so that their marks still say something. The
 * original is read anew for marks alone that no note explains.
 */
async function lostPassages(
  written: Root | null,
  pictures: Parameters<typeof lettersOf>[0],
  shown: ReadonlyMap<string, string> | undefined,
): Promise<ReadonlyMap<string, string> | undefined> {
  const unexplained = pictures.map((picture) => ({
    marks: picture?.marks?.filter(({ body }) => body.length === 0),
  }));
  const lost = new Set(lettersOf(unexplained).filter((letter) => !shown?.has(letter)));
  if (!written || lost.size === 0) return undefined;
  const { readTree } = await import('../markdown/parse-markdown.ts');
  return readTree(written, { letters: lost }).passages;
}

/** Returns further pictures as pages show them. */
function picturesOf(pictures: PostDocument['pictures'], said: Said): ShownPicture[] {
  return pictures.map((picture) => ({
    image: {
      url: picture.url,
      width: picture.width,
      height: picture.height,
      placeholder: placeholderImage(picture.placeholder, PLACEHOLDER_SIZE),
      isBright: isBright(picture.placeholder),
    },
    words: wordsOf(picture, said),
  }));
}

/** Reads the text where it is more than plain. The code for that is loaded with the first such text. */
async function loadText(
  { sources }: Pick<JournalPost, 'sources'>,
  content: string,
  {
    tree,
    language,
    letters,
    changed,
  }: {
    tree: Root | null;
    language: Language;
    letters: ReadonlySet<string>;
    changed: ShownTranslation['changed'];
  },
): Promise<
  Pick<ShownPost, 'content' | 'text' | 'isPlain' | 'words'> & { passages?: ReadonlyMap<string, string> }
> {
  const isPlain = tree === null;
  if (isPlain && !sources) return { content, text: null, isPlain, words: countWords(content) };
  lazyModules.text ??= await import('../markdown/read-text.ts');
  const tracks = (start: number, end: number) => changed.some(([place]) => start <= place && place < end);
  const { text, words, passages } = lazyModules.text.readText(content, {
    ...{ tree, sources, language, letters },
    ...(changed.length > 0 && { tracks }),
  });
  const shown = isPlain ? content : words.slice(0, SUMMARY_LENGTH);
  return { content: shown, text, isPlain, words: countWords(words), passages };
}

/** Returns what is known of the text in the language; `null` for the original, whose readers need no code for that. */
async function loadTranslation(
  post: JournalPost,
  options: { language: Language; source: Language | null; parse: ParseMarkdown },
): Promise<ShownTranslation | null> {
  const { language, source } = options;
  const isTranslated = shownLanguage({ ...post, language: null }, 'content', language) !== null;
  if (!isTranslated || source === language) return null;
  lazyModules.translation ??= await import('./translation/shown-translation.ts');
  return lazyModules.translation.describeTranslation(post, options);
}

/** Other clients do not store the language of the original. */
async function guessOriginal(content: string): Promise<Language | undefined> {
  lazyModules.language ??= await import('../language/guess-language.ts');
  return lazyModules.language.guessLanguage(content);
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
