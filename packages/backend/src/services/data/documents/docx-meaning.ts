import { readSigns, symbolFont } from '@fabrica/contract/signs';
import { Parser } from 'htmlparser2';

/** What Word says of the words of a run; `undefined` where its style says it. */
interface RunMeaning {
  font?: string | undefined;
  strike?: boolean;
  dstrike?: boolean;
  hidden?: boolean;
  shift?: string;
}

/** The styles of a document: what each says of its words, with what it is based on. */
type WordStyles = ReadonlyMap<string, RunMeaning>;

type Attributes = Record<string, string>;

interface Edit {
  start: number;
  end: number;
  text: string;
}

interface Run {
  meaning: RunMeaning;
  style?: string | undefined;
  paragraph: { style?: string | undefined } | undefined;
  /** Where elements can be added to its properties, and what must stand around them. */
  insertAt: { start: number; end: number };
  around: readonly [string, string];
  words: Words[];
}

/** Words of a run, or a symbol, which has a font of its own. */
interface Words extends Edit {
  symbolFont?: string;
}

/** Half points by which letters are raised or lowered at least, as superscripts are. */
const LEAST_SHIFT = 4;
const UNKNOWN_SIGN = '\ufffd';
const OBJECTS = new Set(['m:oMathPara', 'm:oMath', 'w:object']);

/** Returns the styles of `word/styles.xml`. */
export function readWordStyles(xml: string): WordStyles {
  const own = new Map<string, { basedOn?: string | undefined; meaning: RunMeaning }>();
  let style: { basedOn?: string | undefined; meaning: RunMeaning } = { meaning: {} };
  const read = meaningReader();
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'w:style') {
          style = { meaning: {} };
          own.set(attributes['w:styleId'] ?? '', style);
        } else if (name === 'w:basedOn') style.basedOn = attributes['w:val'];
        read.open(name, attributes, style.meaning);
      },
      onclosetag: read.close,
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const resolved = (id: string | undefined, depth: number): RunMeaning => {
    const { basedOn, meaning } = own.get(id ?? '') ?? { meaning: {} };
    // Styles that are based on each other are a fault of the document.
    return depth > 20 ? meaning : { ...(basedOn && resolved(basedOn, depth + 1)), ...meaning };
  };
  return new Map([...own.keys()].map((id) => [id, resolved(id, 0)]));
}

/**
 * Returns a part of a Word document in which all stands that its runs mean: as letters, elements and words that mammoth reads. It
 * does not read fonts, styles of runs, hidden words, two lines through words, nor equations.
 */
export function writeMeaning(xml: string, styles: WordStyles): string {
  const edits: Edit[] = [];
  const read = meaningReader();
  // A run can hold a box of paragraphs with runs of their own.
  const paragraphs: { style?: string | undefined }[] = [];
  const runs: Run[] = [];
  let words: Words | undefined;
  /** An equation, or an object that may be one. */
  let object: { name: string; start: number; isEquation: boolean } | undefined;

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const { startIndex: start, endIndex } = parser;
        const end = endIndex + 1;
        const value = attributes['w:val'];
        if (OBJECTS.has(name)) object ??= { name, start, isEquation: name !== 'w:object' };
        else if (object && name === 'o:OLEObject')
          object.isEquation ||= attributes.ProgID?.startsWith('Equation') ?? false;
        else if (name === 'w:p') paragraphs.push({});
        else if (name === 'w:pStyle') Object.assign(paragraphs.at(-1) ?? {}, { style: value });
        else if (name === 'w:r') {
          const insertAt = { start: end, end };
          const around = ['<w:rPr>', '</w:rPr>'] as const;
          runs.push({ meaning: {}, paragraph: paragraphs.at(-1), insertAt, around, words: [] });
        }
        const run = runs.at(-1);
        if (run && name === 'w:rPr' && !read.isWithin()) {
          const isEmpty = xml[end - 2] === '/';
          run.insertAt = { start: isEmpty ? start : end, end };
          if (!isEmpty) run.around = ['', ''];
        } else if (run && name === 'w:rStyle') run.style = value;
        else if (name === 'w:t') words = { start: end, end, text: '' };
        else if (name === 'w:sym') {
          const code = Number.parseInt(attributes['w:char'] ?? '', 16);
          words = { start, end, text: String.fromCharCode(code), symbolFont: attributes['w:font'] ?? '' };
        }
        read.open(name, attributes, run?.meaning ?? {});
      },
      ontext(text) {
        if (words?.symbolFont === undefined && words) words.text += text;
      },
      onclosetag(name) {
        const { startIndex, endIndex } = parser;
        read.close(name);
        if (object?.name === name) {
          const element = '<w:t xml:space="preserve"> [equation] </w:t>';
          const text = name === 'w:object' ? element : `<w:r>${element}</w:r>`;
          if (object.isEquation) edits.push({ start: object.start, end: endIndex + 1, text });
          object = undefined;
        }
        if (words && (name === 'w:t' || name === 'w:sym')) {
          const end = name === 'w:t' ? startIndex : endIndex + 1;
          if (words.start <= end) runs.at(-1)?.words.push({ ...words, end });
          words = undefined;
        }
        if (name === 'w:p') paragraphs.pop();
        const run = name === 'w:r' ? runs.pop() : undefined;
        if (run) edits.push(...editsOf(run, styles));
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return applyEdits(xml, edits);
}

/** Returns the edits that a run needs, so that it says by itself what its words mean. */
function editsOf({ meaning, style, paragraph, insertAt, around, words }: Run, styles: WordStyles): Edit[] {
  const all = { ...styles.get(paragraph?.style ?? ''), ...styles.get(style ?? ''), ...meaning };
  const struck = all.strike || all.dstrike ? '<w:strike/>' : '';
  const added = struck + (all.shift ? `<w:vertAlign w:val="${escaped(all.shift)}"/>` : '');
  const edits = added ? [{ ...insertAt, text: around.join(added) }] : [];
  for (const { start, end, text, symbolFont: symbol } of words) {
    const font = symbol === undefined ? all.font : symbolFont(symbol);
    // Letters of private use have no meaning without a font.
    const signs = font
      ? readSigns(text, font, () => UNKNOWN_SIGN)
      : text.replace(/[\ue000-\uf8ff\0]/g, UNKNOWN_SIGN);
    const written = symbol === undefined ? escaped(signs) : `<w:t>${escaped(signs)}</w:t>`;
    edits.push({ start, end, text: all.hidden ? '' : written });
  }
  return edits;
}

/** Reads what the properties of a run or style say; not what they said before a tracked change. */
function meaningReader() {
  let properties = 0;
  let former = 0;
  return {
    isWithin: () => properties > 0,
    open(name: string, attributes: Attributes, meaning: RunMeaning): void {
      if (name === 'w:rPrChange') former += 1;
      else if (name === 'w:rPr') properties += 1;
      if (properties === 0 || former > 0) return;
      const value = attributes['w:val'];
      const isOn = value !== 'false' && value !== '0' && value !== 'off';
      if (name === 'w:strike') meaning.strike = isOn;
      else if (name === 'w:dstrike') meaning.dstrike = isOn;
      else if (name === 'w:vanish') meaning.hidden = isOn;
      else if (name === 'w:vertAlign' && value) meaning.shift = value;
      else if (name === 'w:position' && Math.abs(Number(value)) >= LEAST_SHIFT)
        meaning.shift ??= Number(value) > 0 ? 'superscript' : 'subscript';
      else if (name === 'w:rFonts') {
        const families = attributes['w:asciiTheme'] ?? attributes['w:ascii'] ?? attributes['w:hAnsi'];
        if (families !== undefined) meaning.font = symbolFont(families);
      }
    },
    close(name: string): void {
      if (name === 'w:rPrChange') former -= 1;
      else if (name === 'w:rPr') properties -= 1;
    },
  };
}

function applyEdits(xml: string, edits: Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.sort((one, other) => one.start - other.start)) {
    if (start < at) continue;
    parts.push(xml.slice(at, start), text);
    at = end;
  }
  return [...parts, xml.slice(at)].join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
