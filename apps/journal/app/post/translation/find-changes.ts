import type { JournalPost } from '../../../project/entities.ts';
import type { ParseMarkdown } from '../../../project/markdown/parse-tree.ts';
import { hashWords } from '../../../segments/hash-words.ts';
import type { Slot } from '../../../segments/slot.ts';
import { splitLine, splitText, type TextFormat } from '../../../segments/split-text.ts';

type Original = Pick<JournalPost, 'title' | 'content' | 'contentFormat'>;

interface Translated {
  /** The translation of the text. */
  text: string;
  /** The hashes of the original's segments that were translated, the title first. */
  hashes: readonly string[];
}

/** A translation beside the original that there is now. */
interface ComparedSegments {
  /** The segments of both texts, without the titles. */
  translation: readonly Slot[];
  original: readonly Slot[];
  /** The hashes of the original's text. */
  present: readonly string[];
  /** The hashes of what the segments of the translation translate; `null` when it has other segments than the original had. */
  translated: readonly string[] | null;
  isStale: boolean;
}

export function formatOf({ contentFormat }: Pick<Original, 'contentFormat'>): TextFormat {
  return contentFormat === 'markdown' ? 'markdown' : 'plain';
}

export async function compareSegments(
  post: Original,
  { text, hashes }: Translated,
  parse: ParseMarkdown,
): Promise<ComparedSegments> {
  const format = formatOf(post);
  const titles = splitLine(post.title.trim(), 'title').slots.map(hashSlot);
  const { slots: original } = await splitText(post.content.trim(), format, parse);
  const { slots: translation } = await splitText(text, format, parse);
  const present = original.map(hashSlot);
  const isStale = [...titles, ...present].join() !== hashes.join();
  const isAligned = hashes.length === titles.length + translation.length;
  return {
    ...{ translation, original, present, isStale },
    translated: isAligned ? hashes.slice(titles.length) : null,
  };
}

export interface Changes {
  /** Whether the original has other words now than those that were translated. */
  isStale: boolean;
  /** The places of the segments of the translation whose original has changed since. */
  changed: readonly (readonly [start: number, end: number])[];
}

/** Finds what has changed in the original since it was translated. What only moved has not changed. */
export async function findChanges(
  post: Original,
  translated: Translated,
  parse: ParseMarkdown,
): Promise<Changes> {
  const {
    translation,
    translated: hashes,
    present,
    isStale,
  } = await compareSegments(post, translated, parse);
  if (!isStale || !hashes) return { isStale, changed: [] };
  const known = new Set(present);
  const changed = translation.filter((_, at) => !known.has(hashes[at] ?? ''));
  return { isStale, changed: changed.map(({ start, end }) => [start, end] as const) };
}

function hashSlot({ text }: Slot): string {
  return hashWords(text);
}
