import type { Term } from '../findings.ts';
import type { Span } from '../reading/facts.ts';

export interface TermDifference {
  kind: 'term';
  source: Span | null;
  target: null;
}

const fold = (text: string) => text.toLowerCase();

/** Returns a term without the ending that inflection changes. */
function stem(term: string): string {
  const text = fold(term.trim());
  return text.length > 7 ? text.slice(0, -2) : text.length > 4 ? text.slice(0, -1) : text;
}

const isLetter = (text: string, at: number) => /[\p{L}\p{N}]/u.test(text[at] ?? '');

/** Returns where a term begins a word of a text. */
function find(text: string, term: string): number {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (!isLetter(text, at - 1)) return at;
  }
  return -1;
}

/** Returns the terms of the glossary that the source has and whose translation the target lacks. */
export function compareTerms(source: string, target: string, terms: readonly Term[]): TermDifference[] {
  const [from, to] = [fold(source), fold(target)];
  return terms.flatMap((term) => {
    if (term.source.trim() === '') return [];
    const at = find(from, fold(term.source.trim()));
    if (at < 0) return [];
    const wanted = term.translate ? stem(term.target) : fold(term.source.trim());
    // A German compound may have a term in its middle.
    if (to.includes(wanted)) return [];
    return [
      { kind: 'term' as const, source: { start: at, end: at + term.source.trim().length }, target: null },
    ];
  });
}
