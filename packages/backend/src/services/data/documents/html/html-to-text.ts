import { Parser } from 'htmlparser2';
import { BLOCKS, LINES, UNSEEN } from './page-elements.ts';

/**
 * The text of markup: blocks parted by empty lines, items and rows by line ends, cells by tabs. What is preformatted
 * keeps its lines.
 */
export function htmlToText(markup: string): string {
  const lines = createLines();
  let unseen = 0;
  let preformatted = 0;
  const parser = new Parser({
    onopentag(name) {
      if (UNSEEN.has(name)) unseen += 1;
      else if (name === 'pre') preformatted += 1;
      if (name === 'tr') lines.row();
      else if (name === 'td' || name === 'th') lines.cell();
      else if (BLOCKS.has(name)) lines.part('\n\n');
      else if (LINES.has(name)) lines.part('\n');
    },
    ontext(text) {
      if (unseen > 0) return;
      if (preformatted === 0) return lines.add(text.replace(/\s+/g, ' '));
      text.split(/\r\n?|\n/).forEach((line, index) => {
        if (index > 0) lines.part('\n');
        lines.add(line, true);
      });
    },
    onclosetag(name) {
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

/** Gathers text; of several gaps in a row the widest holds, and none holds at an end or within a cell's edges. */
function createLines() {
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
    /** The first of a row stands where the row begins. */
    cell() {
      if (!gap.startsWith('\n')) gap += '\t';
      atCellStart = true;
    },
    endOfCell() {
      if (!atCellStart) gap = '';
      atCellStart = false;
    },
    /** `asIs`: spaces at its start are part of it. */
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
