import { shiftedText } from '@fabrica/contract/signs';
import { Parser } from 'htmlparser2';
import { struckWords, withoutMarks } from '../struck-words.ts';
import { STRUCK } from './look.ts';
import { BLOCKS, LINES, UNSEEN } from './page-elements.ts';

/**
 * Returns the text of markup: empty lines between blocks, line ends between items and rows, tabs between cells.
 * Preformatted text keeps its lines. Superscripts and subscripts are written in the line, and struck words are marked.
 */
export function htmlToText(markup: string): string {
  const lines = createTextBuilder();
  let unseen = 0;
  let preformatted = 0;
  let struck = 0;
  let shift: { kind: 'sup' | 'sub'; words: string } | undefined;

  function add(words: string, asIs = false): void {
    lines.add(struck > 0 ? struckWords(words) : words, asIs);
  }

  function strike(by: 1 | -1): void {
    const kind = shift?.kind;
    endShift(true);
    struck += by;
    if (kind) shift = { kind, words: '' };
  }

  /** Adds what stands in a superscript or subscript. One that holds blocks is none. */
  function endShift(isShift: boolean): void {
    if (shift) add(isShift ? shiftedText(shift.words, shift.kind) : shift.words);
    shift = undefined;
  }

  const parser = new Parser({
    onopentag(name) {
      if (name === 'sup' || name === 'sub') {
        endShift(true);
        shift = { kind: name, words: '' };
        return;
      }
      if (BLOCKS.has(name) || LINES.has(name) || name === 'td' || name === 'th') endShift(false);
      if (STRUCK.has(name)) strike(1);
      if (UNSEEN.has(name)) unseen += 1;
      else if (name === 'pre') preformatted += 1;
      if (name === 'tr') lines.row();
      else if (name === 'td' || name === 'th') lines.cell();
      else if (BLOCKS.has(name)) lines.part('\n\n');
      else if (LINES.has(name)) lines.part('\n');
    },
    ontext(piece) {
      if (unseen > 0) return;
      const text = withoutMarks(piece);
      if (shift) {
        shift.words += text.replace(/\s+/g, ' ');
        return;
      }
      if (preformatted === 0) return add(text.replace(/\s+/g, ' '));
      text.split(/\r\n?|\n/).forEach((line, index) => {
        if (index > 0) lines.part('\n');
        add(line, true);
      });
    },
    onclosetag(name) {
      if (name === 'sup' || name === 'sub') return endShift(true);
      if (STRUCK.has(name)) strike(-1);
      if (UNSEEN.has(name)) unseen -= 1;
      else if (name === 'pre') preformatted -= 1;
      if (name === 'td' || name === 'th') lines.endOfCell();
      else if (BLOCKS.has(name)) lines.part('\n\n');
      else if (LINES.has(name) && name !== 'br') lines.part('\n');
    },
  });
  parser.end(markup);
  return lines.text();
}

/**
 * Builds a text. Of several gaps in a row the widest one counts, and there is none at the end or at the edges of a cell.
 */
function createTextBuilder() {
  const out: string[] = [];
  let gap = '';
  let afterSpace = true;
  let atCellStart = false;
  return {
    part(wanted: '\n\n' | '\n') {
      if (!atCellStart && (wanted.length > gap.length || gap.startsWith('\t'))) gap = wanted;
    },
    row() {
      atCellStart = false;
      if (!gap.startsWith('\n')) gap = '\n';
    },
    /** The first cell of a row needs no tab. */
    cell() {
      if (!gap.startsWith('\n')) gap += '\t';
      atCellStart = true;
    },
    endOfCell() {
      if (!atCellStart) gap = '';
      atCellStart = false;
    },
    /** Adds text. With `asIs`, spaces at its beginning are kept. */
    add(text: string, asIs = false) {
      const atStart = gap !== '' || out.length === 0;
      let added = text;
      if (!asIs && (atStart || afterSpace) && added.startsWith(' ')) added = added.slice(1);
      if (added === '' || (atStart && added.trim() === '')) return;
      if (gap !== '' && out.length > 0) out.push(out.pop()?.trimEnd() ?? '', gap);
      out.push(added);
      gap = '';
      atCellStart = false;
      afterSpace = added.endsWith(' ');
    },
    text: () => out.join('').trimEnd(),
  };
}
