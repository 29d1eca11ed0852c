import type { Mark, Node, NodeType } from 'prosemirror-model';
import { schema } from '../document/schema.ts';

const { nodes, marks } = schema;

/** Words and signs that mean something in Markdown, next to those of medical texts. */
const PIECES = [
  ...[
    'a',
    'dose',
    ' ',
    '5 mg',
    'é',
    'ß',
    'µg',
    '—',
    '\u00a0',
    '“',
    '.',
    ',',
    '  ',
    '1:2',
    'Patient:innen',
    '10:30',
  ],
  ...[
    '*',
    '_',
    '**',
    '[',
    ']',
    ':',
    ':sup[',
    ':mark[a]{#b}',
    ':mark[',
    '::',
    ':::',
    '`',
    '#',
    '- ',
    '1. ',
    '>',
    '|',
    '\\',
    '!',
    '&amp;',
  ],
  ...['<b>', '~', '$', '^', '[^1]', 'http://x.y', '10.1000/x', '{', '}', '+', '=', '---', '&#x20;', 'x:y'],
];

/** Makes the same choices for the same seed. */
export class Chance {
  #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Returns a number from 0 up to 1. */
  next(): number {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return this.#seed / 4_294_967_296;
  }

  /** Returns a whole number from 0 below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  some<T>(count: number, create: () => T): T[] {
    return Array.from({ length: 1 + this.below(count) }, create);
  }
}

export function randomText(chance: Chance): string {
  return chance.some(4, () => chance.pick(PIECES)).join('');
}

function randomMarks(chance: Chance): readonly Mark[] {
  let set: readonly Mark[] = [];
  const add = (name: string, share: number, attributes?: Record<string, unknown>) => {
    if (chance.next() < share) set = marks[name]?.create(attributes).addToSet(set) ?? set;
  };
  for (const [name, share] of Object.entries({ strong: 0.2, em: 0.2, sup: 0.07, sub: 0.07, code: 0.06 })) {
    add(name, share);
  }
  const href = chance.pick(['https://a.b/c?d=e', '/x(y)', 'mailto:a@b.c', '#x y']);
  add('passage', 0.07, { letter: chance.pick(['a', 'b']) });
  add('link', 0.08, { href, title: chance.pick([null, 'A "t"']) });
  return set;
}

function randomLine(chance: Chance, withBreaks: boolean): Node[] {
  return chance.some(6, () => {
    const kind = chance.next();
    if (kind < 0.06 && withBreaks) return schema.node('hard_break');
    if (kind < 0.1) return schema.node('citation', { key: chance.pick(['a1', 'x.y:z', 'b-2']) });
    if (kind < 0.14) return schema.node('footnote_reference', { label: '1' });
    return schema.text(randomText(chance), randomMarks(chance));
  });
}

function randomTable(chance: Chance): Node {
  const columns = 1 + chance.below(3);
  const aligns = Array.from({ length: columns }, () => chance.pick([null, 'center', 'right']));
  const row = (type: NodeType | undefined) =>
    schema.node(
      'table_row',
      null,
      aligns.map((align) => (type as NodeType).create({ align }, randomLine(chance, false))),
    );
  return schema.node('table', null, [
    row(nodes.table_header),
    ...Array.from({ length: chance.below(3) }, () => row(nodes.table_cell)),
  ]);
}

export function randomBlock(chance: Chance, depth = 0): Node {
  const kind = chance.next();
  const inner = () => chance.some(3, () => randomBlock(chance, depth + 1));
  if (depth > 2 || kind < 0.4) return schema.node('paragraph', null, randomLine(chance, true));
  if (kind < 0.5) return schema.node('heading', { level: 1 + chance.below(6) }, randomLine(chance, false));
  if (kind < 0.58) return schema.node('blockquote', null, inner());
  if (kind < 0.65) {
    return schema.node('callout', { name: chance.pick(['warning', 'summary', 'key-points']) }, inner());
  }
  if (kind < 0.78) {
    const items = chance.some(3, () => schema.node('list_item', null, inner()));
    return chance.next() < 0.5
      ? schema.node('bullet_list', null, items)
      : schema.node('ordered_list', { start: chance.pick([1, 3, 0]) }, items);
  }
  if (kind < 0.82) {
    const code = chance.pick(['a\n  b', '```\nx', '\ta', '~~~', ':::']);
    return schema.node('code_block', { language: chance.pick([null, 'js']) }, schema.text(code));
  }
  if (kind < 0.85) return schema.node('horizontal_rule');
  if (kind < 0.92) {
    const alt = chance.pick(['', 'An "alt" & \'x\' {y} <z>', 'é]']);
    const attributes = { src: '/storage/j/a.webp?v=1', width: 10, height: chance.pick([null, 20]), alt };
    return schema.node(
      'figure',
      { ...attributes, credit: chance.pick(['', 'Me']) },
      randomLine(chance, true),
    );
  }
  return randomTable(chance);
}

export function randomDocument(chance: Chance, blocks = 5): Node {
  const note = schema.node(
    'footnote_definition',
    { label: '1' },
    chance.some(2, () => randomBlock(chance, 4)),
  );
  return schema.node('doc', null, [...chance.some(blocks, () => randomBlock(chance)), note]);
}

/**
 * Returns what a document says, as lines: its blocks and, character by character, its marks. Left out is what Markdown has
 * nothing for: empty paragraphs, space and breaks at the ends of lines, and marks on space.
 */
export function contentOf(document: Node): string[] {
  const lines: string[] = [];
  const visit = (node: Node, path: string) => {
    const attributes = Object.entries(node.attrs).filter(([, value]) => value !== null && value !== '');
    const name = `${path}/${node.type.name}${attributes.length > 0 ? JSON.stringify(attributes) : ''}`;
    if (!node.isTextblock) {
      if (node.childCount === 0) lines.push(name);
      for (const child of node.children) visit(child, name);
      return;
    }
    const line = node.type.spec.code ? node.textContent.replaceAll(/^[ \t]+$/gm, '') : lineOf(node);
    if (line !== '' || node.type !== nodes.paragraph) lines.push(`${name} ${line}`);
  };
  for (const child of document.children) visit(child, '');
  return lines;
}

function lineOf(block: Node): string {
  const signs: string[] = [];
  block.forEach((inline) => {
    // Code with brackets is no part of a passage.
    const isApart = marks.code?.isInSet(inline.marks) && /[[\]\\]/.test(inline.text ?? '');
    const names = inline.marks
      .filter(({ type }) => !(isApart && type === marks.passage))
      .map(({ type, attrs }) => (attrs.href ? `${type.name}(${attrs.href})` : type.name));
    if (inline.isText) {
      for (const sign of (inline.text ?? '').replaceAll('\n', ' '))
        signs.push(/\s/.test(sign) ? sign : `${sign}${names.sort().join('+')}`);
    } else if (inline.type === nodes.hard_break) signs.push('\n');
    else {
      // Code and links hold no marks of footnotes and references.
      const kept = names.filter((name) => name !== 'code' && !name.startsWith('link'));
      signs.push(`‹${Object.values(inline.attrs).join()}›${kept.sort().join('+')}`);
    }
  });
  return signs
    .join('')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();
}
