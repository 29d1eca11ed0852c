import type { Language } from '../findings.ts';
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

interface Row extends Unit {
  symbols: string[];
  words: Record<Language, string[]>;
}

const wordsIn = (text = ''): string[] => text.split(' ').filter((word) => word !== '');

const LOOSE = new Set([
  'tablet',
  'capsule',
  'puff',
  'sachet',
  'vial',
  'ampoule',
  'patch',
  'suppository',
  'teaspoon',
  'tablespoon',
  'degree',
  'pp',
]);

const ROWS: readonly Row[] = UNIT_TABLE.trim()
  .split('\n')
  .map((row) => {
    const [code = '', dimension = '', factor, symbols, en, es, fr, de] = row
      .split('|')
      .map((cell) => cell.trim());
    return {
      code,
      dimension,
      factor: Number(factor),
      ...(LOOSE.has(dimension) ? { loose: true } : {}),
      symbols: wordsIn(symbols),
      words: { en: wordsIn(en), es: wordsIn(es), fr: wordsIn(fr), de: wordsIn(de) },
    };
  });

/** Units of more than one word, or of letters and signs, in all languages. */
const PHRASES: readonly (readonly [string, string])[] = [
  [
    'mm hg|mm de hg|mm quecksilbersäule|millimeter quecksilbersäule|millimetres of mercury|millimeters of mercury|milímetros de mercurio|millimètres de mercure',
    'mm[Hg]',
  ],
  ['cm h 2 o|cm h ₂ o|cmh 2 o|cmh ₂ o|cm wassersäule|cm d eau|cm de agua', 'cm[H2O]'],
  ['per cent|por ciento|pour cent|por cien|vol %|vol . %|vol . - %|% vol|% v / v', '%'],
  [
    'percentage point|percentage points|puntos porcentuales|punto porcentual|point de pourcentage|points de pourcentage|puntos de porcentaje',
    'pp',
  ],
  [
    '° c|º c|degrees celsius|degree celsius|degrees centigrade|degrees c|grad celsius|grados celsius|grados centígrados|grado celsius|degrés celsius|degré celsius',
    'Cel',
  ],
  ['° f|º f|degrees fahrenheit|grad fahrenheit|grados fahrenheit|degrés fahrenheit', '[degF]'],
  [
    'international units|international unit|internationale einheiten|internationalen einheiten|unidades internacionales|unités internationales|internationale einheit|unidad internacional|unité internationale',
    '[iU]',
  ],
  ['cuillère à café|cuillères à café|cuiller à café|cuillerée à café|cuillerées à café|c . à c', '{tsp}'],
  ['cuillère à soupe|cuillères à soupe|cuillerée à soupe|cuillerées à soupe', '{tbsp}'],
  [
    'fl oz|fl . oz|fluid ounce|fluid ounces|onza líquida|onzas líquidas|once liquide|onces liquides',
    '[foz_us]',
  ],
  ['por mil|pour mille|per mille|per mil', '[ppth]'],
];

/** Powers of a length, in words: square metre, Quadratmeter. */
const POWERS: readonly (readonly [string, string, number])[] = [
  [
    'square metre|square metres|square meter|square meters|quadratmeter|metro cuadrado|metros cuadrados|mètre carré|mètres carrés',
    'm',
    2,
  ],
  [
    'square centimetre|square centimetres|square centimeter|square centimeters|quadratzentimeter|centímetro cuadrado|centímetros cuadrados|centimètre carré|centimètres carrés',
    'cm',
    2,
  ],
  [
    'square millimetres|square millimeters|quadratmillimeter|milímetros cuadrados|millimètres carrés',
    'mm',
    2,
  ],
  [
    'cubic centimetre|cubic centimetres|cubic centimeter|cubic centimeters|kubikzentimeter|centímetro cúbico|centímetros cúbicos|centimètre cube|centimètres cubes',
    'cm',
    3,
  ],
  ['cubic millimetre|cubic millimeter|kubikmillimeter|milímetro cúbico|millimètre cube', 'mm', 3],
  ['cubic metre|cubic meter|kubikmeter|metro cúbico|mètre cube', 'm', 3],
];

const byCode = new Map<string, Unit>(ROWS.map(({ symbols: _, words: __, ...unit }) => [unit.code, unit]));

/** Returns the unit of a UCUM code that is in the table. */
export function unitByCode(code: string): Unit {
  const unit = byCode.get(code);
  if (!unit) throw new Error(`There is no unit ${code}.`);
  return unit;
}

/** Symbols such as mg, whose case matters. */
export const UNIT_SYMBOLS: ReadonlyMap<string, Unit> = new Map(
  ROWS.flatMap(({ code, symbols }) => symbols.map((symbol) => [symbol, unitByCode(code)] as const)),
);

/** Words such as Milligramm, in lower case. */
export const UNIT_WORDS: Readonly<Record<Language, ReadonlyMap<string, Unit>>> = {
  en: wordsOf('en'),
  es: wordsOf('es'),
  fr: wordsOf('fr'),
  de: wordsOf('de'),
};

function wordsOf(language: Language): ReadonlyMap<string, Unit> {
  return new Map(
    ROWS.flatMap(({ code, words }) => words[language].map((word) => [word, unitByCode(code)] as const)),
  );
}

/** Returns a unit raised to a power. A cubic length is a volume. */
export function raise(unit: Unit, power: number): Unit {
  if (power === 1) return unit;
  const factor = unit.factor ** power;
  if (unit.dimension === 'm' && power === 3)
    return { code: `${unit.code}3`, dimension: 'L', factor: factor * 1e3 };
  return { code: `${unit.code}${power}`, dimension: `${unit.dimension}${power}`, factor };
}

export const UNIT_PHRASES: readonly (readonly [string, Unit])[] = [
  ...PHRASES.map(([phrases, code]) => [phrases, unitByCode(code)] as const),
  ...POWERS.map(([phrases, code, power]) => [phrases, raise(unitByCode(code), power)] as const),
];

/** Returns one unit per another, such as mg/kg. */
export function divide(unit: Unit, by: Unit): Unit {
  return {
    code: `${unit.code}/${by.code}`,
    dimension: `${unit.dimension}/${by.dimension}`,
    factor: unit.factor / by.factor,
  };
}
