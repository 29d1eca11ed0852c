import type { Slot, SplitText } from './slot.ts';

interface JoinedText {
  text: string;
  /** The place of each segment in the text, in UTF-16 units. */
  ranges: readonly (readonly [start: number, end: number])[];
}

/**
 * Puts words into the slots of a text. Where there are none, or those of the text itself, not a byte is changed: the text
 * with its own words is the text.
 */
export function joinText(
  { text, slots }: SplitText,
  words: readonly (string | null | undefined)[],
): JoinedText {
  const lineBreak = /\r\n?|\n/.exec(text)?.[0] ?? '\n';
  const ranges: [number, number][] = [];
  let joined = '';
  let from = 0;
  for (const [at, slot] of slots.entries()) {
    joined += text.slice(from, slot.start);
    const start = joined.length;
    joined += written(slot, words[at] ?? '', lineBreak) ?? text.slice(slot.start, slot.end);
    ranges.push([start, joined.length]);
    from = slot.end;
  }
  return { text: joined + text.slice(from), ranges };
}

/** Returns the words as they stand in their slot; undefined for those that stand there already. */
function written(slot: Slot, given: string, lineBreak: string): string | undefined {
  const words = given.replaceAll(/\r\n?/g, '\n');
  if (words.trim() === '' || words === slot.text) return undefined;
  const line = words
    .split('\n')
    .flatMap((one) => one.trim() || [])
    .join(' ');
  switch (slot.form) {
    case 'line':
      return line.replace(/(?<=\s)(#+)$/, '\\$1');
    case 'cell':
      return line.replaceAll(/(?<!\\)((?:\\\\)*)\|/g, '$1\\|');
    case 'attribute':
      return `"${line.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
    case 'verbatim':
      return withPrefix(words.trim(), slot.prefix, lineBreak);
    case 'code':
      // Indented so far, a fence closes nothing.
      return withPrefix(words.replaceAll(/^ {0,3}(?=`{3}|~{3})/gm, '    '), slot.prefix, lineBreak);
    case 'block':
      return withPrefix(escapeBlock(words.trim()), slot.prefix, lineBreak);
  }
}

function withPrefix(words: string, prefix: string, lineBreak: string): string {
  return words
    .split('\n')
    .map((line, at) => (at === 0 ? line : line === '' ? prefix.trimEnd() : prefix + line))
    .join(lineBreak);
}

/** Matches what would make a line of a paragraph another block, with the character that is escaped. */
const OTHER_BLOCKS = [
  /^\s{0,3}()(?:[-+*](?=\s|$)|#{1,6}(?=\s|$)|>|`{3}|~{3}|:{2,}|(?:[-_*][ \t]*){3,}$|=+\s*$|\[[^\]]*\]:|<[!?]|<(?:script|pre|style|textarea)\b)/i,
  /^(\s{0,3}\d{1,9})(?=[.)](?:\s|$))/,
  // The line below the head of a table.
  /^()(?=.*\|)[|:\s-]+$/,
];

/** Escapes what would make the first paragraph of a text another block: `1. Januar` is no list. */
function escapeBlock(words: string): string {
  const [paragraph = '', ...rest] = words.split(/(?=\n[ \t]*\n)/);
  const escaped = paragraph.split('\n').map((line) => {
    const pattern = OTHER_BLOCKS.find((one) => one.test(line));
    const found = pattern?.exec(line);
    if (!found) return line;
    const at = found[1]?.length || line.length - line.trimStart().length;
    return `${line.slice(0, at)}\\${line.slice(at)}`;
  });
  return [escaped.join('\n'), ...rest].join('');
}
