import type { Root } from 'mdast';
import { formatVancouver, type ReferencePart } from '../../references/format-vancouver.ts';
import { readStoredSource } from '../../references/read-stored-source.ts';
import type { Source } from '../../references/source.ts';
import { type ContentsEntry, contentsOf } from './contents.ts';
import { type MarkdownNode, plainText, readTree } from './parse-markdown.ts';

/** A reference as a page lists it. */
export interface ListedReference {
  number: number;
  /** Tells how often the text cites it. */
  marks: number;
  parts: ReferencePart[];
}

/** A text with its footnotes, its references and its contents, as a page shows it. */
export interface PostText {
  nodes: MarkdownNode[];
  contents: ContentsEntry[];
  references: ListedReference[];
}

interface ReadTextOptions {
  /** The tree of Markdown; null for a plain text. */
  tree: Root | null;
  /** The references that belong to the text, as the database holds them: JSON. */
  sources: string | null;
  language: string;
  /** The letters of the marks on the post's plates. */
  letters?: ReadonlySet<string> | undefined;
  /** Tells which blocks are tracked (see `ParseOptions`). */
  tracks?: ((start: number, end: number) => boolean) | undefined;
}

/**
 * Reads a post's text for its page. The cited references come first, in the order of the text; the others follow. Returns
 * the words of the text, too, and those of its passages by their letters.
 */
export function readText(
  content: string,
  { tree, sources, language, letters, tracks }: ReadTextOptions,
): { text: PostText; words: string; passages: ReadonlyMap<string, string> } {
  const list = parseSources(sources);
  const keys = list.map(({ id }) => id);
  const { nodes, cited, marks, passages } = tree
    ? readTree(tree, { anchors: true, sources: keys, ...(letters && { letters }), ...(tracks && { tracks }) })
    : { nodes: [], cited: [], marks: [], passages: new Map<string, string>() };
  const order = [...cited, ...keys.filter((key) => !cited.includes(key))];
  const references = order.flatMap((key, index): ListedReference[] => {
    const source = list.find(({ id }) => id === key);
    return source
      ? [{ number: index + 1, marks: marks[index] ?? 0, parts: formatVancouver(source, language) }]
      : [];
  });
  const words = tree ? plainText(nodes) : content;
  return { text: { nodes, contents: contentsOf(nodes, plainText), references }, words, passages };
}

/** The database holds what other programs have stored; what is of no use is left out, because a page must not fail by it. */
function parseSources(json: string | null): Source[] {
  if (!json) return [];
  const list = parseJson(json);
  const named = Array.isArray(list) ? list.filter((one) => typeof one?.id === 'string') : [];
  return named.flatMap((one): Source[] => {
    try {
      return [readStoredSource(one)];
    } catch {
      return [];
    }
  });
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
