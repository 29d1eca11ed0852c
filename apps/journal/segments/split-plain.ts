import { MAX_BLOCKS } from '../project/markdown/parse-tree.ts';
import type { Slot } from './slot.ts';

/**
 * Matches the breaks between paragraphs: a blank line, or the end of a line at which a sentence ends. White space is read from
 * its start only, so that a long run of it costs no more than its length.
 */
const BREAK =
  /(?<![^\S\r\n])[^\S\r\n]*(?:\r\n?|\n)(?:[^\S\r\n]*(?:\r\n?|\n))+\s*|(?<=[.!?…:;"'”»)\]])[^\S\r\n]*(?:\r\n?|\n)\s*/gu;

/**
 * Splits plain text into its paragraphs. Lines that were broken within a sentence stay together, and so does all that follows the
 * last of very many.
 */
export function splitPlain(text: string): Slot[] {
  const slots: Slot[] = [];
  let from = 0;
  const add = (to: number) => {
    const raw = text.slice(from, to);
    const start = from + raw.length - raw.trimStart().length;
    const words = raw.trim();
    if (words === '') return;
    const lines = words.replaceAll(/\r\n?/g, '\n');
    slots.push({
      kind: 'paragraph',
      text: lines,
      start,
      end: start + words.length,
      form: 'verbatim',
      prefix: '',
    });
  };
  for (const { index, 0: found } of text.matchAll(BREAK)) {
    if (slots.length === MAX_BLOCKS - 1) break;
    add(index);
    from = index + found.length;
  }
  add(text.length);
  return slots;
}
