import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Finding } from '@fabrica/dose-guard';
import type { Language } from '../../../project/languages.ts';
import { recogniseOther } from '../../../project/recognise-language.ts';
import type { Terms } from '../glossary/glossary.ts';

const require = createRequire(import.meta.url);

/** Loads the dose guard, whose words and patterns a server that is only read does without. */
function loadGuard(): typeof import('./dose-guard.ts') {
  return require(fileURLToPath(new URL('dose-guard.ts', import.meta.url)));
}

export interface TextPair {
  source: { text: string; language: Language | null };
  target: { text: string; language: Language };
}

/** Returns what the dose guard finds in a translation. Of an original in an unknown language nothing can be said. */
export function examine({ source: { text, language }, target }: TextPair, glossary: Terms): Finding[] {
  if (language === null) return [];
  const { compareSegments } = loadGuard();
  const terms = glossary.find(text, language, target.language).map((pair) => ({
    source: pair.source,
    // Any of the words that are allowed will do.
    target: pair.allowed.find((word) => target.text.includes(word)) ?? pair.allowed[0] ?? pair.source,
    translate: pair.target !== null,
  }));
  return compareSegments({ text, language }, target, { terms, recogniseOther });
}

/** Findings of structure, which nodes of an older version write as warnings during an upgrade. */
const STRUCTURAL: ReadonlySet<Finding['kind']> = new Set<Finding['kind']>([
  ...(['language', 'missing', 'doubled', 'length', 'link', 'mark', 'markup', 'term'] as const),
]);

/**
 * Tells whether a finding keeps a text from being released by itself. Of what a person has written or reviewed, blocks alone do: whether
 * a link or a sentence is missing has been looked at.
 */
export function isHeldBy({ kind, severity }: Finding, { isOfPerson }: { isOfPerson: boolean }): boolean {
  return severity === 'block' || (!isOfPerson && (severity === 'doubt' || STRUCTURAL.has(kind)));
}
