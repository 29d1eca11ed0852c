import type { Language } from '../findings.ts';
import { AND, LABELS, OR } from '../words/grammar-words.ts';
import { isDash } from './counts.ts';
import { readRoman } from './digits.ts';
import type { Found, Name } from './facts.ts';
import { spanOf, type Token } from './tokens.ts';
import { readUnit } from './units.ts';

/** Reads the Roman numeral of a stage, type or century. */
export function readRomanNumeral(tokens: readonly Token[], at: number, language: Language) {
  const token = tokens[at];
  if (token?.kind !== 'word' || !/^[IVX]/.test(token.text)) return undefined;
  const match = /^([IVX]+)(?:[ABCabc]|e|ème|er)?$/.exec(token.text);
  const value = match && readRoman(match[1] ?? '');
  if (!value) return undefined;
  const before = tokens[at - 1];
  const labelAt = before?.text === '-' ? at - 2 : at - 1;
  const label = tokens[labelAt]?.lower ?? '';
  const isLabelled =
    LABELS[language].has(label) ||
    (language === 'de' && /(?:grad|stufe|klasse|typ|stadium|phase|gruppe|niveau)$/.test(label));
  const isListed =
    (before?.text === '/' ||
      isDash(before) ||
      AND[language].has(before?.lower ?? '') ||
      OR[language].has(before?.lower ?? '') ||
      /^(?:to|bis|a|à|,)$/.test(before?.lower ?? '')) &&
    readRoman(tokens[at - 2]?.text ?? '') !== undefined;
  const isCentury = /^siècles?$/.test(tokens[at + 1]?.lower ?? '');
  const isLong = isCentury || /^(?:I{2,3}|VI{1,3}|IX|XI{1,3}|XI?V|XV|XVI{1,3}|XI?X)$/.test(match[1] ?? '');
  if (!isLabelled && !isListed && !isLong) return undefined;
  return { value, next: at + 1, strength: 'strong' as const, inWords: false, misread: false };
}

const NAME_LETTERS = /^\p{Lu}{1,4}$/u;

function nameFact(
  tokens: readonly Token[],
  at: number,
  next: number,
  digits: string,
  stem: string,
): Found<Name> {
  return { fact: { type: 'name', ...spanOf(tokens, at, next), digits, stem }, next };
}

/** Reads a number within a name: COVID-19, HbA1c, 5-FU. */
export function readName(tokens: readonly Token[], at: number, language: Language): Found<Name> | undefined {
  const number = tokens[at];
  if (number?.kind !== 'number' && !/^[₀-₉]$/.test(number?.text ?? '')) return undefined;
  const glued = !number?.spaced && tokens[at - 1] !== undefined ? tokens[at - 1] : undefined;
  const isHyphen = glued?.text === '-' && !glued.spaced;
  const letters = isHyphen ? tokens[at - 2] : glued;
  const behind = tokens[at + 1];
  if (letters?.kind === 'word') {
    let next = at + 1;
    while (!tokens[next]?.spaced && /^(?:word|number)$/.test(tokens[next]?.kind ?? '')) next += 1;
    const digits = tokens.slice(at, next).filter(({ kind }) => kind !== 'word');
    const written = digits.map(({ text }) => text.normalize('NFKC')).join('.');
    return nameFact(tokens, at, next, written, letters.lower);
  }
  const lettersAt = behind?.text === '-' && !behind.spaced ? at + 2 : at + 1;
  const after = tokens[lettersAt];
  const isName =
    after?.kind === 'word' &&
    !after.spaced &&
    NAME_LETTERS.test(after.text) &&
    !readUnit(tokens, lettersAt, language) &&
    /^\d{1,2}$/.test(number?.text ?? '');
  return isName ? nameFact(tokens, at, lettersAt + 1, number?.text ?? '', after.lower) : undefined;
}
