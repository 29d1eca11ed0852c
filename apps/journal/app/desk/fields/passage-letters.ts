import type { Nodes } from 'mdast';
import { markLetter } from '../../../project/markdown/directives.ts';
import { parseHere } from '../../../project/markdown/parse-tree.ts';

/** Returns the letters of the passages of a Markdown text; none of one that is too complex to be read. */
export function passageLetters(text: string): Set<string> {
  const letters = new Set<string>();
  const walk = (node: Nodes) => {
    const letter = node.type === 'textDirective' ? markLetter(node) : null;
    if (letter !== null) letters.add(letter);
    if ('children' in node) for (const child of node.children) walk(child);
  };
  const root = parseHere(text);
  if (root) walk(root);
  return letters;
}
