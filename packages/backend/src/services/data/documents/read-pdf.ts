import { getDocumentProxy } from 'unpdf';
import { UnreadableDocument } from './document.ts';

/** A gap larger than the leading by this factor begins a paragraph. */
const PARAGRAPH_GAP = 1.35;
/** A change of the font size by this factor begins a paragraph, such as a heading. */
const SIZE_CHANGE = 1.12;

/** A gap of so many font sizes between two runs of a line separates cells of a table. */
const CELL_GAP = 1.5;
/** Letters that fit into one font size. */
const LETTERS_PER_SIZE = 2;
/** The beginning of a list item. */
const ITEM = /^(?:[•◦▪‣·*–-]|\d{1,3}[.)])\s/;

/** A run of letters of pdf.js. */
interface Run {
  str: string;
  dir: string;
  width: number;
  transform: number[];
  height: number;
  hasEOL: boolean;
}

interface Line {
  text: string;
  x: number;
  /** Distance from the bottom of the page. */
  y: number;
  end: number;
  size: number;
}

/** Returns the text of a PDF file page by page, divided into paragraphs by the positions of its lines. */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  const document = await open(bytes);
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(paragraphsOf(linesOf(items.filter((item) => 'str' in item))));
    page.cleanup();
  }
  await document.loadingTask.destroy();
  return pages.filter(Boolean).join('\n\n');
}

async function open(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, stopAtErrors: false });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new UnreadableDocument('This PDF is locked with a password.');
    }
    throw error;
  }
}

function linesOf(runs: readonly Run[]): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const run of runs) {
    if (run.str.trim() !== '') {
      line ??= { text: '', x: xOf(run), y: run.transform[5] ?? 0, end: xOf(run), size: run.height };
      append(line, run);
    } else if (run.str !== '' && line) line.text += ' ';
    if (run.hasEOL && line) {
      lines.push(line);
      line = undefined;
    }
  }
  if (line) lines.push(line);
  return lines;
}

function append(line: Line, run: Run): void {
  const isFar = run.dir === 'ltr' && xOf(run) - line.end > CELL_GAP * run.height;
  line.text = isFar ? `${line.text.trimEnd()}\t${run.str}` : line.text + run.str;
  line.end = xOf(run) + run.width;
  line.size = Math.max(line.size, run.height);
}

function xOf({ transform }: Run): number {
  return transform[4] ?? 0;
}

function paragraphsOf(lines: readonly Line[]): string {
  const leading = leadingOf(lines);
  const blocks: Line[][] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const block = before && belongTogether(before, line, leading) ? blocks.at(-1) : undefined;
    if (block) block.push(line);
    else blocks.push([line]);
    before = line;
  }
  return blocks.map(textOfBlock).join('\n\n').replaceAll('\u00ad', '');
}

function textOfBlock(block: readonly Line[]): string {
  const edge = Math.max(...block.map(({ end }) => end));
  let text = '';
  block.forEach((line, index) => {
    const before = block[index - 1];
    const words = line.text.trim();
    if (!before) text = words;
    else text = endsBefore(before, line, edge) ? `${text}\n${words}` : joined(text, words);
  });
  return text;
}

/** Returns whether a line was broken on purpose: as an item, as a row, or although the next word would have fitted. */
function endsBefore(before: Line, line: Line, edge: number): boolean {
  if (ITEM.test(line.text) || before.text.includes('\t') || line.text.includes('\t')) return true;
  const nextWord = line.text.trim().split(/\s/, 1)[0]?.length ?? 0;
  return ((edge - before.end) / before.size) * LETTERS_PER_SIZE > nextWord + 4;
}

/** Returns the usual distance of lines in font sizes. */
function leadingOf(lines: readonly Line[]): number {
  const gaps = lines
    .flatMap((line, index) => gapOf(lines[index - 1], line) ?? [])
    .filter((gap) => gap > 0.8 && gap < 3)
    .sort((a, b) => a - b);
  // The lower quarter is used, because on some pages most lines are paragraphs of their own.
  return gaps[Math.floor(gaps.length / 4)] ?? 1.2;
}

function gapOf(before: Line | undefined, line: Line): number | undefined {
  return before && line.size > 0 ? (before.y - line.y) / line.size : undefined;
}

function belongTogether(before: Line, line: Line, leading: number): boolean {
  const gap = gapOf(before, line) ?? leading;
  const sizes = Math.max(before.size, line.size) / Math.max(Math.min(before.size, line.size), 1);
  return gap > -0.5 && gap <= leading * PARAGRAPH_GAP && sizes <= SIZE_CHANGE;
}

/** Joins two lines, and a word that was hyphenated at the line end. */
function joined(text: string, words: string): string {
  if (/\p{L}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(words)) return text.slice(0, -1) + words;
  return `${text} ${words}`;
}
