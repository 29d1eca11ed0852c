/** Describes what marks text on both sides, and what stands for itself, in the Markdown of a segment. */
export interface InlineMark {
  start: string;
  /** Null for a mark that has no text between its ends. */
  end: string | null;
  type?: 'fmt' | 'link' | 'image';
  subType?: string;
}

/**
 * Finds the marks of a text: escapes and code stay text, citations, footnote marks and bare addresses stand for themselves, and links,
 * pictures, bold, italic, raised and lowered words, and passages of plates are pairs. Addresses of links whose words are no plain pair stand for themselves as
 * well. No part of it reads on to the end of the text from each place where it might begin.
 */
const MARKS =
  /\\.|`[^`]*`|(?<code>:cite\[[^[\]]*\]|\[\^[^[\]\s]+\]|<?https?:\/\/[^\s<>()[\]]{1,1000}[^\s<>()[\].,;:!?'"*_]>?)|:(?<script>sup|sub)\[(?<scripted>[^[\]]*)\]|:mark\[(?<marked>[^[\]]*)\]\{#(?<letter>[a-z])\}|(?<image>!?)\[(?<words>(?:[^[\]\\]|\\.)*)\](?<address>\((?:<[^<>\n]{0,1000}>|(?:[^()\s]|\([^()\s]*\))*)(?:[ \t]{1,5}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?\)|\[[^[\]\n^]{1,100}\])|\*\*(?=[^\s*])(?<bold>(?:[^*\\]|\\.|\*(?!\*)[^*]*\*(?!\*))+?)(?<=[^\s])\*\*(?!\*)|(?<!\*)\*(?=[^\s*])(?<italic>(?:[^*\\]|\\.)+?)(?<=[^\s*])\*(?!\*)|(?<rest>\]\((?:[^()\s]|\([^()\s]*\))*\))/gsu;

/** A part of a text: its words as they are, or a mark with the words that it is around. */
export type InlinePart = string | { mark: InlineMark; words: string };

/** Returns the parts of a text in their order. The words of a mark may have marks of their own. */
export function readInline(text: string): InlinePart[] {
  const parts: InlinePart[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const found = readMark(match);
    if (!found) continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(found);
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Returns the words of a text without its addresses, citations and marks of notes. */
export function inlineWords(text: string): string {
  return readInline(text)
    .map((part) => (typeof part === 'string' ? part : inlineWords(part.words)))
    .join('');
}

function readMark({ groups = {} }: RegExpMatchArray): Exclude<InlinePart, string> | undefined {
  const { code, rest, script, scripted, marked, letter, image = '', words, address, bold, italic } = groups;
  if (code !== undefined) return { mark: { start: code, end: null }, words: '' };
  if (rest !== undefined) return { mark: { start: rest, end: null }, words: '' };
  if (script !== undefined) {
    const mark = { start: `:${script}[`, end: ']', type: 'fmt', subType: `fabrica:${script}` } as const;
    return { mark, words: scripted ?? '' };
  }
  if (marked !== undefined)
    return { mark: { start: ':mark[', end: `]{#${letter}}`, type: 'link' }, words: marked };
  if (address !== undefined) {
    const type = image ? 'image' : 'link';
    return { mark: { start: `${image}[`, end: `]${address}`, type }, words: words ?? '' };
  }
  if (bold !== undefined) {
    return { mark: { start: '**', end: '**', type: 'fmt', subType: 'xlf:b' }, words: bold };
  }
  return italic === undefined
    ? undefined
    : { mark: { start: '*', end: '*', type: 'fmt', subType: 'xlf:i' }, words: italic };
}
