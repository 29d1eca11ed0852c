import { Lexicon } from './lexicon.ts';
import { type ByLanguage, byLanguage, readTable, setOf, wordsIn } from './table.ts';
import { UNIT_TABLE } from './unit-table.ts';

/**
 * A unit by its UCUM code. Two units of one dimension convert by their factors. What only counts things (tablets, puffs) is
 * `loose`: a text may leave it out, or name the thing by another word.
 */
export interface Unit {
  code: string;
  dimension: string;
  factor: number;
  loose?: true;
}

const LOOSE = setOf(
  'tablet capsule puff sachet vial ampoule patch suppository teaspoon tablespoon degree pp',
);

const ROWS = readTable(UNIT_TABLE).map(({ head: [code = '', dimension = '', factor, symbols], words }) => {
  const unit: Unit = {
    code,
    dimension,
    factor: Number(factor),
    ...(LOOSE.has(dimension) && { loose: true }),
  };
  return { unit, symbols: wordsIn(symbols), words };
});

/** Returns the unit of a UCUM code that is in the table. */
export function unitByCode(code: string): Unit {
  const row = ROWS.find(({ unit }) => unit.code === code);
  if (!row) throw new Error(`There is no unit ${code}.`);
  return row.unit;
}

const isPhrase = (name: string) => name.includes('_');

const namesOf = (namesIn: (row: (typeof ROWS)[number]) => readonly string[]) =>
  ROWS.flatMap((row) => namesIn(row).map((name) => [name, row.unit] as const));

/** Symbols such as mg, whose case matters. */
export const UNIT_SYMBOLS: ReadonlyMap<string, Unit> = new Map(namesOf(({ symbols }) => symbols));

/** Words such as Milligramm, in lower case. */
export const UNIT_WORDS: ByLanguage<ReadonlyMap<string, Unit>> = byLanguage(
  (language) => new Map(namesOf(({ words }) => words[language])),
);

/** Units of more than one word, or of letters and signs, in all languages. */
export const UNIT_PHRASES = new Lexicon(
  namesOf(({ symbols, words }) => [...symbols, ...Object.values(words).flat()].filter(isPhrase)),
);

/** Returns a unit raised to a power. A cubic length is a volume. */
export function raise(unit: Unit, power: number): Unit {
  if (power === 1) return unit;
  const factor = unit.factor ** power;
  if (unit.dimension === 'm' && power === 3)
    return { code: `${unit.code}3`, dimension: 'L', factor: factor * 1e3 };
  return { code: `${unit.code}${power}`, dimension: `${unit.dimension}${power}`, factor };
}

/** Returns one unit per another, such as mg/kg. */
export function divide(unit: Unit, by: Unit): Unit {
  return {
    code: `${unit.code}/${by.code}`,
    dimension: `${unit.dimension}/${by.dimension}`,
    factor: unit.factor / by.factor,
  };
}
