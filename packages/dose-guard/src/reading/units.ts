import type { Language } from '../findings.ts';
import { PER } from '../words/grammar-words.ts';
import {
  divide,
  raise,
  UNIT_PHRASES,
  UNIT_SYMBOLS,
  UNIT_WORDS,
  type Unit,
  unitByCode,
} from '../words/units.ts';
import { readRaised } from './digits.ts';
import { splitGermanCompound } from './german-numerals.ts';
import type { Token } from './tokens.ts';

interface FoundUnit {
  unit: Unit;
  next: number;
}

const TIME = 's';

/** Reads one unit without what it is divided by. */
function readAtom(tokens: readonly Token[], at: number, language: Language): FoundUnit | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const phrase = UNIT_PHRASES.find(tokens, at);
  if (phrase) return { unit: phrase.meaning, next: phrase.next };
  const symbol =
    UNIT_SYMBOLS.get(token.text.replace(/\.$/, '')) ?? UNIT_SYMBOLS.get(token.text.replaceAll('.', ''));
  const unit = symbol ?? UNIT_WORDS[language].get(token.lower) ?? compoundUnit(token, language);
  // "sept livres" are books, "7 livres" are pounds.
  const isBook = token.lower === 'livres' && tokens[at - 1]?.kind === 'word';
  if (!unit || isBook || isElided(tokens, at)) return undefined;
  const isShortened =
    symbol !== undefined &&
    /^(?:Std|std|Min|Tbl|Tabl|Kps|sek|Sek|hrs?|mins?|secs?|yrs?|wks?)$/.test(token.text);
  const next = isShortened && tokens[at + 1]?.text === '.' && !tokens[at + 1]?.spaced ? at + 2 : at + 1;
  return withPower(tokens, { unit, next });
}

/** French "d'" and "l'" are no days and litres. */
function isElided(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  return token?.text.length === 1 && next !== undefined && !next.spaced && next.start === token.end + 1;
}

const GERMAN_TIMES = /(?:(wochen?)|(tage?n?)|(monate?n?)|(jahre?n?)|(stunden?)|(minuten?))$/;

/** Reads the time at the end of a German compound: Schwangerschaftswochen, Lebensjahr. */
function compoundUnit({ lower, kind }: Token, language: Language): Unit | undefined {
  if (language !== 'de' || kind !== 'word' || lower.length < 9 || splitGermanCompound(lower))
    return undefined;
  const match = GERMAN_TIMES.exec(lower);
  if (!match) return undefined;
  const codes = ['wk', 'd', 'mo', 'a', 'h', 'min'];
  return unitByCode(codes[match.slice(1).findIndex((part) => part !== undefined)] ?? 'd');
}

/** Reads the power of m², m^2 and m2. */
function withPower(tokens: readonly Token[], { unit, next }: FoundUnit): FoundUnit {
  const token = tokens[next];
  if (!token || token.spaced) return { unit, next };
  if (token.kind === 'raised') {
    const power = readRaised(token.text);
    if (power === 2 || power === 3) return { unit: raise(unit, power), next: next + 1 };
  }
  const isLength = unit.dimension === 'm';
  if (isLength && token.kind === 'number' && /^[23]$/.test(token.text)) {
    return { unit: raise(unit, Number(token.text)), next: next + 1 };
  }
  if (isLength && token.text === '^' && /^[23]$/.test(tokens[next + 1]?.text ?? '')) {
    return { unit: raise(unit, Number(tokens[next + 1]?.text)), next: next + 2 };
  }
  return { unit, next };
}

/**
 * Reads a unit such as mg/kg or Milligramm pro Kilogramm. What is said per time ("/day", "pro Stunde") is left to
 * the frequencies, so that "10 mg/day" is "10 mg daily".
 */
export function readUnit(tokens: readonly Token[], at: number, language: Language): FoundUnit | undefined {
  let found = readAtom(tokens, at, language);
  for (let rounds = 0; found && rounds < 3; rounds += 1) {
    const divisor = readDivisor(tokens, found, language);
    if (!divisor) break;
    found = { unit: divide(found.unit, divisor.unit), next: divisor.next };
  }
  return found;
}

function readDivisor(
  tokens: readonly Token[],
  { next, unit }: FoundUnit,
  language: Language,
): FoundUnit | undefined {
  const token = tokens[next];
  if (!token) return undefined;
  const isSlash = token.text === '/' || token.text === '∕';
  const isWord = PER[language].has(token.lower);
  if (!isSlash && !isWord) {
    // kg⁻¹
    const atom = /^[·.*]$/.test(token.text) ? next + 1 : next;
    const raised = tokens[atom + 1];
    const inverse =
      raised?.kind === 'raised' && raised.text.startsWith('⁻') ? readAtom(tokens, atom, language) : undefined;
    return inverse && inverse.unit.dimension !== TIME
      ? { unit: raise(inverse.unit, Math.abs(readRaised(raised?.text ?? ''))), next: atom + 2 }
      : undefined;
  }
  const article = isWord && /^(?:un|una|une|ein|eine|el|le)$/.test(tokens[next + 1]?.lower ?? '') ? 1 : 0;
  const divisor = readAtom(tokens, next + 1 + article, language);
  if (!divisor || divisor.unit.dimension === TIME || (isWord && divisor.unit.loose) || unit.loose)
    return undefined;
  return divisor;
}

export const isTime = (unit: Unit | null): unit is Unit => unit?.dimension === TIME;
export const PERCENT = unitByCode('%');
export const YEAR = unitByCode('a');
export const DAY = unitByCode('d');
export const HOUR = unitByCode('h');
