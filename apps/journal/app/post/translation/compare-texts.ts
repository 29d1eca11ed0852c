import type { Root } from 'mdast';
import type { JournalPost } from '../../../project/entities.ts';
import type { Language } from '../../../project/languages.ts';
import { localize } from '../../../project/localize.ts';
import type { ParseMarkdown } from '../../../project/markdown/parse-tree.ts';
import { pairSegments } from '../../../segments/pair-segments.ts';
import type { Slot } from '../../../segments/slot.ts';
import { type MarkdownNode, plainText, readTree } from '../../markdown/parse-markdown.ts';
import { compareSegments, formatOf } from './find-changes.ts';
import { releasedFacts } from './shown-translation.ts';

/** A block of a translation with what the original has in its place. */
export interface ComparedBlock {
  /** The words of the translation, without its marks. */
  words: string;
  /** Empty when the original no longer has such a block. */
  original: readonly MarkdownNode[];
  isChanged: boolean;
}

export interface Comparison {
  title: ComparedBlock;
  /** The blocks by the places at which they begin. */
  blocks: ReadonlyMap<number, ComparedBlock>;
  /** The translation with its blocks tracked; empty for a plain text. */
  nodes: MarkdownNode[];
  /** The places where the passages of a plain text begin and end; empty for any other. */
  passages: (readonly [start: number, end: number])[];
}

interface Block {
  start: number;
  end: number;
  nodes: MarkdownNode[];
}

/** Compares the translation of a post with its original, block by block. */
export async function compareTexts(
  stored: JournalPost,
  language: Language,
  parse: ParseMarkdown,
): Promise<Comparison> {
  const { title, content: text } = localize(stored, language);
  const [tree, originalTree] =
    formatOf(stored) === 'plain' ? [null, null] : [await parse(text), await parse(stored.content.trim())];
  // As its page, which shows both as plain text where one of them is too complex.
  const post = tree && originalTree ? stored : { ...stored, contentFormat: null };
  const hashes = releasedFacts(post, language)?.hashes ?? [];
  const segments = await compareSegments(post, { text, hashes }, parse);
  const { translation, original, translated, present } = segments;
  const pairs =
    translated === null
      ? pairSegments(translation.map(kindOf), original.map(kindOf))
      : pairSegments(translated, present);
  const known = new Set(present);
  const [shown, written] = [readBlocks(post, tree, translation), readBlocks(post, originalTree, original)];
  const blocks = shown.blocks.flatMap(({ start, end, nodes }): [number, ComparedBlock][] => {
    const inBlock = translation.flatMap((slot, at) => (start <= slot.start && slot.start < end ? [at] : []));
    if (inBlock.length === 0) return [];
    const places = inBlock.flatMap((at) => pairs[at] ?? []).map((at) => original[at]?.start ?? 0);
    const originals = written.blocks.filter((block) =>
      places.some((place) => block.start <= place && place < block.end),
    );
    const isChanged = inBlock.some((at) => translated !== null && !known.has(translated[at] ?? ''));
    const compared = {
      words: plainText(nodes),
      original: originals.flatMap((block) => withoutAnchors(block.nodes)),
      isChanged,
    };
    return [[start, compared]];
  });
  return {
    title: { words: title, original: [paragraphOf([post.title])], isChanged: false },
    blocks: new Map(blocks),
    nodes: shown.nodes,
    passages: formatOf(post) === 'plain' ? shown.blocks.map(({ start, end }) => [start, end]) : [],
  };
}

function kindOf({ kind }: Slot): string {
  return kind;
}

/** Reads a text as its page shows it, with the blocks that have words. */
function readBlocks(
  post: Pick<JournalPost, 'contentFormat' | 'sources'>,
  tree: Root | null,
  slots: readonly Slot[],
): { nodes: MarkdownNode[]; blocks: Block[] } {
  if (!tree || formatOf(post) === 'plain') {
    const blocks = slots.map(({ start, end, text: words }) => ({ start, end, nodes: [linesOf(words)] }));
    return { nodes: [], blocks };
  }
  const ends = new Map<number, number>();
  const { nodes } = readTree(tree, {
    anchors: true,
    sources: keysOf(post.sources),
    tracks: (start, end) => {
      ends.set(start, end);
      return true;
    },
  });
  const blocks = nodes
    .flatMap(trackedIn)
    .map(({ at, node }) => ({ start: at, end: ends.get(at) ?? at, nodes: [node] }));
  return { nodes, blocks };
}

function keysOf(sources: string | null): string[] {
  return sources ? (JSON.parse(sources) as { id: string }[]).map(({ id }) => id) : [];
}

/** Returns the blocks in the order of the text. Those within footnotes come at the end. */
function trackedIn(node: MarkdownNode): { at: number; node: MarkdownNode }[] {
  if (typeof node === 'string') return [];
  if ('at' in node && node.at !== undefined) return [{ at: node.at, node }];
  if (node.kind === 'footnotes') return node.notes.flatMap(({ children }) => children.flatMap(trackedIn));
  return 'children' in node ? node.children.flatMap(trackedIn) : [];
}

function paragraphOf(children: MarkdownNode[]): MarkdownNode {
  return { kind: 'paragraph', children };
}

/** Returns a plain paragraph with its line breaks. */
function linesOf(words: string): MarkdownNode {
  return paragraphOf(
    words.split('\n').flatMap((line, at): MarkdownNode[] => (at > 0 ? [{ kind: 'break' }, line] : [line])),
  );
}

/**
 * Returns blocks of the original as they can stand within the translation: its headings are none of the page, its marks of
 * notes lead nowhere, and a picture is not shown twice.
 */
function withoutAnchors(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node): MarkdownNode[] => {
    if (typeof node === 'string') return [node];
    switch (node.kind) {
      case 'heading':
        return [paragraphOf([{ kind: 'strong', children: withoutAnchors(node.children) }])];
      case 'footnote':
        return [{ kind: 'superscript', children: [String(node.number)] }];
      case 'citation':
        return [`[${node.marks.map(({ key, number }) => number ?? key).join(', ')}]`];
      case 'figure':
        return [...(node.alt ? [paragraphOf([node.alt])] : []), ...withoutAnchors(node.children)];
      case 'table':
        return [{ ...node, rows: node.rows.map((row) => row.map(withoutAnchors)) }];
      default:
        return 'children' in node
          ? [{ ...node, children: withoutAnchors(node.children) } as MarkdownNode]
          : [node];
    }
  });
}
