import type { Difference, Span, Term } from '../findings.ts';
import { wordsIn } from '../words/table.ts';

/** Takes accents off without moving anything: corazón and corazones, Arzt and Ärzte begin alike. */
const fold = (text: string) =>
  text.toLowerCase().replaceAll(/[\u00c0-\u017f]/g, (letter) => letter.normalize('NFD')[0] ?? letter);

/** Words whose forms do not begin alike. */
const IRREGULAR = ['œil yeux', 'oeil yeux', 'mal maux', 'tooth teeth', 'foot feet'].map(wordsIn);

/** Returns a word without the ending that inflection changes. */
function stem(word: string): string {
  return word.length > 7 ? word.slice(0, -2) : word.length > 4 ? word.slice(0, -1) : word;
}

/** Returns the forms of a word that do not begin as it does: œil, yeux. */
export function otherForms(word: string): string[] {
  return IRREGULAR.filter((forms) => forms.includes(word)).flatMap((forms) =>
    forms.filter((form) => form !== word),
  );
}

/** Returns the beginnings by one of which each form of a word is known. */
function stemsOf(word: string): string[] {
  return [stem(word), ...otherForms(word)];
}

const wordsOf = (text: string) => [...text.matchAll(/[\p{L}\p{N}]+/gu)];

/** A word in another form is not longer than this: "heart" is no form of "heartbreaking". */
const LONGEST_ENDING = 4;

/** Returns where a text has a term, in any form, or undefined. */
function find(text: string, term: string): Span | undefined {
  const wanted = wordsOf(term).map(([word]) => word);
  const words = wordsOf(text);
  const isForm = (word: string, base: string) =>
    stemsOf(base).some((start) => word.startsWith(start)) && word.length <= base.length + LONGEST_ENDING;
  const at = words.findIndex((_, index) =>
    wanted.every((base, offset) => isForm(words[index + offset]?.[0] ?? '', base)),
  );
  const [first, last] = [words[at], words[at + wanted.length - 1]];
  return wanted.length > 0 && first && last
    ? { start: first.index, end: last.index + last[0].length }
    : undefined;
}

/** Returns whether a text has the words of a term, in any form. A German compound may have one in its middle. */
function has(text: string, term: string): boolean {
  return wordsOf(term).every(([word]) => stemsOf(word).some((start) => text.includes(start)));
}

/** Returns the terms of the glossary that the source has and whose translation the target lacks. */
export function compareTerms(source: string, target: string, terms: readonly Term[]): Difference[] {
  const [from, to] = [fold(source), fold(target)];
  return terms.flatMap((term) => {
    const found = find(from, fold(term.source));
    if (!found) return [];
    const isThere = term.translate ? has(to, fold(term.target)) : to.includes(fold(term.source.trim()));
    return isThere ? [] : [{ kind: 'term', source: found, target: null }];
  });
}
