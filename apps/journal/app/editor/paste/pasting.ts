import { Fragment, type Node, type NodeType, type ResolvedPos, Slice } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { schema } from '../document/schema.ts';
import { readDocument } from '../document/text-document.ts';
import { cleanHtml } from './clean-html.ts';
import { noLosses, type PasteLosses } from './keep-meaning.ts';

const { nodes } = schema;

/** Signs of Markdown that plain text has not by chance. Each is looked for within some hundred characters: of 100,000 brackets, each would else be followed to the end. */
const MARKDOWN =
  /^(?:#{1,6} \S|:::\s?[a-z]|```|\|.*\|\s*\n\|[\s:|-]+\||\[\^[^\]]+\]:)|^(?:[-*+]|\d{1,3}[.)]) \S.*\n\s*(?:[-*+]|\d{1,3}[.)]) \S|\*\*\S[^\n]{0,500}\S\*\*|\[[^\][\n]{1,500}\]\(https?:/m;

/**
 * Reads what is pasted: the structure of other programs' texts, Markdown, and plain text with its line breaks. `onLosses` is
 * told what of it is not in the text.
 */
export function pasting(onLosses: (losses: PasteLosses) => void): Plugin {
  /** Footnotes of what is being pasted, which go to the end of the text. */
  let footnotes = new Map<string, Node>();
  return new Plugin({
    props: {
      transformPastedHTML: (html) => cleanedHtml(html, onLosses),
      clipboardTextParser(text, $context, plain) {
        onLosses(noLosses());
        return readPlain(text, $context, plain);
      },
      transformPasted(slice, view) {
        const taken = takeFootnotes(slice, view.state.doc);
        footnotes = taken.footnotes;
        return taken.slice;
      },
    },
    appendTransaction(transactions, _, state) {
      if (footnotes.size === 0 || !transactions.some(({ docChanged }) => docChanged)) return null;
      const { tr } = state;
      for (const definition of footnotes.values()) tr.insert(tr.doc.content.size, definition);
      footnotes = new Map();
      return tr;
    },
  });
}

/** What the editor itself has put on the clipboard is clean. */
function cleanedHtml(html: string, onLosses: (losses: PasteLosses) => void): string {
  if (html.includes('data-pm-slice')) return html;
  // The page's policy keeps handlers and style sheets from their work, and each of them would be reported on the console.
  const quiet = html.replaceAll(/\son[a-z]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '');
  const template = document.createElement('template');
  template.innerHTML = quiet;
  const sheets = [...template.content.querySelectorAll('style')].map((sheet) => {
    sheet.remove();
    return sheet.textContent;
  });
  const pasted = new DOMParser().parseFromString(template.innerHTML, 'text/html');
  onLosses(cleanHtml(pasted, sheets.join('\n')));
  return pasted.body.innerHTML;
}

function readPlain(text: string, $context: ResolvedPos, plain: boolean): Slice {
  const value = text.replaceAll(/\r\n?/g, '\n').trim();
  const table = plain ? undefined : tableOf(value);
  const isMarkdown = !plain && MARKDOWN.test(table ?? value);
  const { content } = readDocument({ value: table ?? value, format: isMarkdown ? 'markdown' : 'plain' });
  const marks = $context.marks();
  if (table !== undefined) return new Slice(content, 0, 0);
  const marked = isMarkdown ? content : withMarks(content, marks);
  // A line that is pasted into a line becomes part of it.
  return Slice.maxOpen(marked);
}

/** Returns the Markdown of lines that tabs divide into the same number of cells, as spreadsheets copy them. */
function tableOf(text: string): string | undefined {
  const rows = text.split('\n').map((line) => line.split('\t'));
  const [head, ...others] = rows;
  const isTable = head && head.length > 1 && others.length > 0;
  if (!isTable || others.some(({ length }) => length !== head.length)) return undefined;
  const write = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.trim().replaceAll(/[\\`*_{}[\]<>#|~:&]/g, '\\$&')).join(' | ')} |`;
  return [write(head), write(head.map(() => '---')), ...others.map(write)].join('\n');
}

/** Plain text takes the looks of where it is put. */
function withMarks(content: Fragment, marks: ReturnType<ResolvedPos['marks']>): Fragment {
  return Fragment.fromArray(
    content.content.map((node) =>
      node.isText ? node.mark(marks) : node.copy(withMarks(node.content, marks)),
    ),
  );
}

/** Takes the footnotes out of a slice, and gives those that the document has already another label. */
function takeFootnotes(slice: Slice, document: Node): { slice: Slice; footnotes: Map<string, Node> } {
  const { content } = slice.content;
  const definitions = content.filter(({ type }) => type === nodes.footnote_definition);
  const body = content.filter(({ type }) => type !== nodes.footnote_definition);
  const used = new Set(document.children.map(({ attrs }) => attrs.label as string));
  const labels = new Map<string, string>();
  let number = 1;
  for (const { attrs } of definitions) {
    while (used.has(String(number))) number += 1;
    labels.set(attrs.label, String(number));
    used.add(String(number));
  }
  if (definitions.length === 0) return { slice, footnotes: new Map() };
  const relabelled = relabel(Fragment.fromArray([...body]), labels);
  const footnotes = definitions.map((definition): [string, Node] => {
    const label = labels.get(definition.attrs.label) ?? '';
    const content = relabel(definition.content, labels);
    return [label, (nodes.footnote_definition as NodeType).create({ label }, content)];
  });
  const openEnd = definitions.includes(slice.content.lastChild as Node) ? 0 : slice.openEnd;
  return { slice: new Slice(relabelled, slice.openStart, openEnd), footnotes: new Map(footnotes) };
}

function relabel(content: Fragment, labels: ReadonlyMap<string, string>): Fragment {
  const children: Node[] = [];
  content.forEach((node) => {
    const label = node.type === nodes.footnote_reference ? labels.get(node.attrs.label) : undefined;
    children.push(
      label === undefined
        ? node.copy(relabel(node.content, labels))
        : node.type.create({ label }, null, node.marks),
    );
  });
  return Fragment.fromArray(children);
}
