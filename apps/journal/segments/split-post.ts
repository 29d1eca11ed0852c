import type { ParseMarkdown } from '../project/markdown/parse-tree.ts';
import type { PictureWords, SegmentKind, SegmentPart } from '../project/translations.ts';
import { hashWords } from './hash-words.ts';
import type { SplitText } from './slot.ts';
import { splitLine, splitText, type TextFormat } from './split-text.ts';

/** The texts about a picture of an original. */
export type WordsOfPicture = { [Name in PictureWords]?: string | undefined } & {
  /** The notes of its marks, by their letters. */
  notes?: ReadonlyMap<string, string> | undefined;
};

/** The texts of an original. */
export interface PostTexts extends WordsOfPicture {
  title: string;
  content: string;
  /** Null is plain, as in the columns of a post. */
  contentFormat: TextFormat | null;
  /** The texts about its further pictures; those about its image stand here. */
  pictures?: readonly WordsOfPicture[] | undefined;
}

/** A segment of an original, before it has an id. */
export interface SegmentText {
  part: SegmentPart;
  kind: SegmentKind;
  text: string;
  hash: string;
}

/** The parts in their order: title, text, what is said about the image and in the notes of its marks, then the same of each further picture. */
export type SplitPost = ReadonlyMap<SegmentPart, SplitText>;

/** Splits the texts of an original, without white space around them, as readers get them. */
export async function splitPost(
  { title, content, contentFormat, pictures = [], ...image }: PostTexts,
  parse: ParseMarkdown,
): Promise<SplitPost> {
  return new Map<SegmentPart, SplitText>([
    ['title', splitLine(title.trim(), 'title')],
    ['content', await splitText(content.trim(), contentFormat ?? 'plain', parse)],
    ...splitWords(image, ''),
    ...pictures.flatMap((picture, at) => splitWords(picture, `:${at}`)),
  ]);
}

function splitWords(
  { alt = '', caption = '', description = '', notes = new Map() }: WordsOfPicture,
  place: '' | `:${number}`,
): [SegmentPart, SplitText][] {
  const ofNotes = [...notes].map(([letter, note]): [SegmentPart, SplitText] => [
    `note:${letter}`,
    splitLine(note.trim(), 'caption'),
  ]);
  return [
    [`alt${place}`, splitLine(alt.trim(), 'alt')],
    [`caption${place}`, splitLine(caption.trim(), 'caption')],
    [`description${place}`, splitLine(description.trim(), 'alt', 'verbatim')],
    ...ofNotes,
  ];
}

/** Returns the segments of an original in the order of its parts. */
export function segmentsOf(post: SplitPost): SegmentText[] {
  return [...post].flatMap(([part, { slots }]) =>
    slots.map(({ kind, text }) => ({ part, kind, text, hash: hashWords(text) })),
  );
}

/** Returns the name of a part, which is the same for all pictures: their order changes, and one of them becomes the image. */
export function nameOfPart(part: SegmentPart): 'title' | 'content' | PictureWords | 'note' {
  return part.split(':')[0] as ReturnType<typeof nameOfPart>;
}

/** Tells whether readers of a language get a segment with its release: what is said about pictures may be missing. */
export function isReleased({ part }: Pick<SegmentText, 'part'>): boolean {
  return part === 'title' || part === 'content';
}
