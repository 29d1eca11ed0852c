import type { ParseMarkdown } from '../project/markdown/parse-tree.ts';
import type { SegmentKind } from '../project/translations.ts';
import type { Slot, SplitText } from './slot.ts';
import { splitMarkdown } from './split-markdown.ts';
import { splitPlain } from './split-plain.ts';

export type TextFormat = 'plain' | 'markdown';

const HAS_WORDS = /[\p{L}\p{N}]/u;

/**
 * Splits a text into its segments and the frame between them. What has neither letters nor digits belongs to the frame. Markdown
 * that is too complex is split as plain text.
 */
export async function splitText(text: string, format: TextFormat, parse: ParseMarkdown): Promise<SplitText> {
  const tree = format === 'markdown' ? await parse(text) : null;
  const slots = tree ? splitMarkdown(text, tree) : splitPlain(text);
  const sorted = slots
    .filter((slot) => HAS_WORDS.test(slot.text))
    .toSorted((one, other) => one.start - other.start);
  return { text, slots: sorted.filter(({ start }, at) => start >= (sorted[at - 1]?.end ?? 0)) };
}

/** Splits a text that is one segment: a line, such as a title, or what keeps its paragraphs. */
export function splitLine(text: string, kind: SegmentKind, form: 'line' | 'verbatim' = 'line'): SplitText {
  const start = text.length - text.trimStart().length;
  const words = text.trim();
  const slot: Slot = { kind, text: words, start, end: start + words.length, form, prefix: '' };
  return { text, slots: HAS_WORDS.test(words) ? [slot] : [] };
}
