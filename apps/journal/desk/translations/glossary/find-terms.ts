import { foldText } from '@fabrica/contract';
import { otherForms } from '@fabrica/dose-guard/other-forms';
import type { Language } from '../../../project/languages.ts';

/** One thing and what it is called: the first word of a language is the preferred one, the others are allowed. */
export interface Term {
  id: string;
  words: Partial<Record<Language, readonly string[]>>;
  /** Whether it stays as it is in every language, such as the name of a drug. */
  keep: boolean;
  note: string;
}

/** A term of a text, and what it shall be in the other language; null where it stays as it is. */
export interface TermPair {
  source: string;
  target: string | null;
  /** All words that the translation may have for it, the preferred one first. */
  allowed: readonly string[];
}

/** Letters of a word of which two forms of it may differ at their ends: `muscle` and `muscles`, `Arzt` and `Ärzte`. */
const ENDING = 2;
const LONGEST_ENDING = 4;
/** Shorter words, such as abbreviations, have no forms. */
const SHORTEST_STEM = 4;

/** Finds the terms of a glossary in texts of one language. */
export class TermFinder {
  readonly #byStart = new Map<string, { words: string[]; source: string; term: Term }[]>();
  readonly #target: Language;

  constructor(terms: readonly Term[], source: Language, target: Language) {
    this.#target = target;
    for (const term of terms) {
      const names = term.keep ? Object.values(term.words).flat() : (term.words[source] ?? []);
      for (const name of new Set(names)) {
        const words = wordsOf(name);
        const forms = words.length === 1 ? otherForms(name.toLowerCase()).map(wordsOf) : [];
        for (const form of [words, ...forms]) {
          const [first] = form;
          if (first === undefined) continue;
          const start = first.slice(0, ENDING);
          const known = this.#byStart.get(start) ?? [];
          this.#byStart.set(start, [...known, { words: form, source: name, term }]);
        }
      }
    }
  }

  /** Returns the terms that a text contains, each once. A term without a word in the other language is left out. */
  find(text: string): TermPair[] {
    const words = wordsOf(text);
    const found = new Map<string, TermPair>();
    for (const [index, word] of words.entries()) {
      for (const known of this.#byStart.get(word.slice(0, ENDING)) ?? []) {
        if (!isAt(words, index, known.words)) continue;
        const { term, source } = known;
        const allowed = term.keep ? [source] : (term.words[this.#target] ?? []);
        const [target] = allowed;
        if (target !== undefined) found.set(source, { source, target: term.keep ? null : target, allowed });
      }
    }
    return [...found.values()];
  }
}

function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isAt(words: readonly string[], index: number, wanted: readonly string[]): boolean {
  return wanted.length > 0 && wanted.every((word, offset) => isForm(words[index + offset] ?? '', word));
}

/** Tells whether a word is the other one, or a form of it: the same but for its ending. */
function isForm(word: string, base: string): boolean {
  if (word === base) return true;
  if (base.length < SHORTEST_STEM || Math.abs(word.length - base.length) > LONGEST_ENDING) return false;
  return word.startsWith(base.slice(0, Math.max(SHORTEST_STEM, base.length - ENDING)));
}
