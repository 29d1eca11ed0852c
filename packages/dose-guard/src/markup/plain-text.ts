import type { Span } from '../findings.ts';

/** Something in a text that is no prose: where it stands, and what it refers to. */
export interface Mark extends Span {
  type: 'link' | 'footnote' | 'citation' | 'passage';
  target: string;
}

/** A text without its mark-up. `offsets` says for each UTF-16 unit where it stood, and has one more for the end. */
export interface PlainText {
  text: string;
  offsets: readonly number[];
  marks: Mark[];
  /** Tells how often each kind of mark-up is set. */
  setting: ReadonlyMap<string, number>;
}

const LEVEL = '0123456789-−–+';
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻⁺';

/** What stands behind the name is the sign. */
const ENTITIES = new Map(
  'nbsp\u00a0 lt< gt> amp& ge≥ le≤ microµ thinsp\u2009 ndash– mdash— minus− times× deg° plusmn± frac12½ quot"'
    .split(' ')
    .map((entity) => [entity.slice(0, -1), entity.slice(-1)]),
);

/** Every repetition is bounded, so that no text takes more than linear time. */
const PATTERN = new RegExp(
  [
    '\\\\(?<escaped>[!-/:-@[-`{-~])',
    '&(?<entity>[a-z0-9]{2,8});',
    ':(?<script>sup|sub)\\[(?<raised>[^\\[\\]\\n]{1,40})\\]',
    ':cite\\[(?<cite>[^\\[\\]\\n]{1,200})\\]',
    ':mark(?=\\[[^\\[\\]\\n]{1,2000}\\]\\{#[a-z]\\})(?<passage>)',
    '\\]\\{#(?<letter>[a-z])\\}',
    '\\[\\^(?<footnote>[^\\[\\]\\s]{1,100})\\]',
    '\\]\\((?<url>[^()\\s]{0,1000}(?:\\([^()\\s]{0,200}\\)[^()\\s]{0,500})?)(?:[ \\t]{1,5}"[^"\\n]{0,300}")?\\)',
    '<?(?<bare>https?://[^\\s<>()\\[\\]]{1,1000}[^\\s<>()\\[\\].,;:!?\'"*_])>?',
    '(?<mail>[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,4})',
    '^(?<line>[ \\t]{0,8}(?:#{1,6}[ \\t]|>[ \\t]?|[-*+][ \\t]|\\d{1,3}[.)][ \\t](?=\\S)|:::[^\\n]{0,1000}))',
    '(?<emphasis>\\*{1,3}|~~|`{1,3}|(?<![\\p{L}\\d])_{1,3}|_{1,3}(?![\\p{L}\\d]))',
    '<\\/?(?<tag>[a-z]{1,10})(?:\\s[^<>]{0,200})?>',
  ].join('|'),
  'gmu',
);

/** Returns the prose of a Markdown fragment, and what it refers to. */
export function readPlainText(markdown: string): PlainText {
  const chunks: string[] = [];
  const offsets: number[] = [];
  const marks: Mark[] = [];
  const setting = new Map<string, number>();
  let last = 0;
  /** Where the last passage of a mark on a plate begins. */
  let opened = 0;
  const keep = (text: string, from: number) => {
    chunks.push(text);
    for (let index = 0; index < text.length; index += 1) offsets.push(from + index);
  };
  const replace = (text: string, from: number) => {
    chunks.push(text);
    for (let index = 0; index < text.length; index += 1) offsets.push(from);
  };
  const count = (what: string) => setting.set(what, (setting.get(what) ?? 0) + 1);
  for (const match of markdown.matchAll(PATTERN)) {
    const [all] = match;
    const start = match.index;
    const span = { start, end: start + all.length };
    const { escaped, entity, script, raised = '', cite, footnote, url, ...more } = match.groups ?? {};
    const { bare, mail, line, emphasis, tag, passage, letter } = more;
    if (entity !== undefined && !ENTITIES.has(entity)) continue;
    keep(markdown.slice(last, start), last);
    last = span.end;
    if (escaped !== undefined) keep(escaped, start + 1);
    else if (entity !== undefined) replace(ENTITIES.get(entity) ?? '', start);
    else if (script === 'sup') {
      const content = start + ':sup['.length;
      const signs = [...raised].map((sign) => RAISED[LEVEL.indexOf(sign)]);
      keep(signs.includes(undefined) ? raised : signs.join(''), content);
      count('sup');
    } else if (script === 'sub') {
      keep(raised, start + ':sub['.length);
      count('sub');
    } else if (cite !== undefined) marks.push({ type: 'citation', target: cite, ...span });
    else if (letter !== undefined) {
      // The words between the brackets stay in the prose, as those of links do.
      keep(']', start);
      marks.push({ type: 'passage', target: letter, start: opened, end: span.end });
    } else if (passage !== undefined) opened = start;
    else if (footnote !== undefined) marks.push({ type: 'footnote', target: footnote, ...span });
    else if (url !== undefined) {
      keep(']', start);
      marks.push({ type: 'link', target: url, ...span });
    } else if (bare !== undefined || mail !== undefined) {
      marks.push({ type: 'link', target: bare ?? mail ?? '', ...span });
    } else if (line !== undefined) {
      // "3)" is "1.", and "* " is "- ".
      const begun = line
        .trim()
        .replace(/\d+[.)]/, '1.')
        .replace(/^[*+]$/, '-');
      count(`line ${begun.slice(0, 12)}`);
    } else if (emphasis !== undefined) count(emphasis.replaceAll('_', '*'));
    else if (tag !== undefined) count(`<${tag}>`);
  }
  keep(markdown.slice(last), last);
  offsets.push(markdown.length);
  return { text: chunks.join(''), offsets, marks, setting };
}

/** Returns a span of the prose as one of the Markdown. */
export function toMarkdownSpan({ offsets }: PlainText, { start, end }: Span): Span {
  const from = offsets[start] ?? 0;
  const to = end > start ? (offsets[end - 1] ?? from) + 1 : from;
  return { start: from, end: Math.max(from, to) };
}
