import type { Language } from '../findings.ts';

/** Holds what a word says of a number. `small` adds up, `hundred` and `scale` multiply, the others stand alone. */
export interface NumberWord {
  kind: 'article' | 'small' | 'hundred' | 'scale' | 'half' | 'part' | 'ordinal' | 'group';
  value: number;
}

type Words = Readonly<Record<string, number>>;

const list = (kind: NumberWord['kind'], words: Words): [string, NumberWord][] =>
  Object.entries(words).map(([word, value]) => [word, { kind, value }]);

const counted = (words: string, first = 1, step = 1): Words =>
  Object.fromEntries(
    words.split(' ').flatMap((forms, index) => forms.split('/').map((word) => [word, first + index * step])),
  );

const english: [string, NumberWord][] = [
  ...list('article', { a: 1, an: 1, one: 1, single: 1 }),
  ...list(
    'small',
    counted(
      'zero _one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
      0,
    ),
  ),
  ...list('small', counted('twenty thirty forty/fourty fifty sixty seventy eighty ninety', 20, 10)),
  ...list('hundred', { hundred: 100 }),
  ...list('scale', { thousand: 1e3, million: 1e6, mio: 1e6, billion: 1e9, bn: 1e9, trillion: 1e12 }),
  ...list('half', { half: 0.5, halved: 0.5, halve: 0.5, halves: 0.5, halving: 0.5 }),
  ...list('part', {
    thirds: 1 / 3,
    quarter: 1 / 4,
    quarters: 1 / 4,
    fourths: 1 / 4,
    fifths: 1 / 5,
    sixths: 1 / 6,
    eighths: 1 / 8,
    tenths: 1 / 10,
  }),
  ...list(
    'ordinal',
    counted(
      'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
    ),
  ),
  ...list('group', {
    dozen: 12,
    both: 2,
    couple: 2,
    double: 2,
    triple: 3,
    doubled: 2,
    tripled: 3,
    doubles: 2,
    doubling: 2,
    quadruple: 4,
    quadrupled: 4,
    trebled: 3,
    triples: 3,
    tripling: 3,
    quintuple: 5,
    quintupled: 5,
    twenties: 20,
    thirties: 30,
    forties: 40,
    fifties: 50,
    sixties: 60,
    seventies: 70,
    eighties: 80,
    nineties: 90,
  }),
];

const SPANISH_TENS = 'treinta cuarenta cincuenta sesenta setenta ochenta noventa';

const spanish: [string, NumberWord][] = [
  ...list('article', { un: 1, una: 1, uno: 1 }),
  ...list(
    'small',
    counted(
      'cero _uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve veinte veintiuno/veintiún/veintiuna veintidós/veintidos veintitrés/veintitres veinticuatro veinticinco veintiséis/veintiseis veintisiete veintiocho veintinueve',
      0,
    ),
  ),
  ...list('small', counted(SPANISH_TENS, 30, 10)),
  ...list('small', { cien: 100, ciento: 100 }),
  ...list(
    'small',
    counted(
      'doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas',
      200,
      100,
    ),
  ),
  ...list('scale', {
    mil: 1e3,
    millón: 1e6,
    millon: 1e6,
    millones: 1e6,
    billón: 1e12,
    billones: 1e12,
    millardo: 1e9,
    millardos: 1e9,
  }),
  ...list('half', { medio: 0.5, media: 0.5, mitad: 0.5 }),
  ...list('part', {
    tercio: 1 / 3,
    tercios: 1 / 3,
    terceras: 1 / 3,
    cuartos: 1 / 4,
    cuartas: 1 / 4,
    quintos: 1 / 5,
    quintas: 1 / 5,
    décimas: 1 / 10,
  }),
  ...list(
    'ordinal',
    counted(
      'primer/primero/primera/primeros/primeras segundo/segunda tercer/tercero/tercera cuarto/cuarta quinto/quinta sexto/sexta séptimo/séptima octavo/octava noveno/novena décimo/décima undécimo/undécima duodécimo/duodécima',
    ),
  ),
  ...list('group', {
    docena: 12,
    docenas: 12,
    ambos: 2,
    ambas: 2,
    doble: 2,
    triple: 3,
    duplica: 2,
    duplicó: 2,
    duplicar: 2,
    triplicó: 3,
    triplica: 3,
    cuadruplicó: 4,
    cuadruplicado: 4,
    duplicado: 2,
    triplicado: 3,
    triplicar: 3,
    triplicaron: 3,
    triplican: 3,
    duplicaron: 2,
    duplican: 2,
    duplicando: 2,
    cuádruple: 4,
    cuadruplica: 4,
    cuadruplicar: 4,
    quíntuple: 5,
    quintuplica: 5,
    quintuplicó: 5,
    quintuplicar: 5,
    quintuplicado: 5,
    treintena: 30,
    quincena: 15,
    veintena: 20,
    decena: 10,
  }),
];

const french: [string, NumberWord][] = [
  ...list('article', { un: 1, une: 1 }),
  ...list(
    'small',
    counted(
      'zéro _un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
      0,
    ),
  ),
  ...list('small', counted('vingt trente quarante cinquante soixante', 20, 10)),
  ...list('small', {
    septante: 70,
    huitante: 80,
    octante: 80,
    nonante: 90,
    'quatre vingt': 80,
    'quatre vingts': 80,
  }),
  ...list('hundred', { cent: 100, cents: 100 }),
  ...list('scale', {
    mille: 1e3,
    million: 1e6,
    millions: 1e6,
    milliard: 1e9,
    milliards: 1e9,
    billion: 1e12,
    billions: 1e12,
  }),
  ...list('half', { demi: 0.5, demie: 0.5, moitié: 0.5 }),
  ...list('part', { tiers: 1 / 3, quart: 1 / 4, quarts: 1 / 4, cinquièmes: 1 / 5, dixièmes: 1 / 10 }),
  ...list(
    'ordinal',
    counted(
      'premier/première/premiers/premières deuxième/second/seconde troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième',
    ),
  ),
  ...list('group', {
    douzaine: 12,
    dizaine: 10,
    quinzaine: 15,
    vingtaine: 20,
    trentaine: 30,
    cinquantaine: 50,
    centaine: 100,
    double: 2,
    doublé: 2,
    doubler: 2,
    triple: 3,
    triplé: 3,
    quadruplé: 4,
    doublée: 2,
    doublent: 2,
    triplée: 3,
    tripler: 3,
    triplent: 3,
    quadruple: 4,
    quadrupler: 4,
    quintuple: 5,
    quintuplé: 5,
    quintupler: 5,
    quarantaine: 40,
    soixantaine: 60,
  }),
];

/** German numerals are read by their parts (german-words.ts); these are the words that have none. */
const german: [string, NumberWord][] = [
  ...list('article', {
    ein: 1,
    eine: 1,
    einen: 1,
    einem: 1,
    einer: 1,
    eines: 1,
    eins: 1,
    einzige: 1,
    einzigen: 1,
  }),
  ...list('small', { null: 0, beider: 2 }),
  ...list('scale', {
    tausend: 1e3,
    tsd: 1e3,
    million: 1e6,
    millionen: 1e6,
    mio: 1e6,
    milliarde: 1e9,
    milliarden: 1e9,
    mrd: 1e9,
    billion: 1e12,
    billionen: 1e12,
    trillion: 1e18,
    trillionen: 1e18,
  }),
  ...list('half', {
    halb: 0.5,
    halbe: 0.5,
    halben: 0.5,
    halber: 0.5,
    halbes: 0.5,
    hälfte: 0.5,
    halbiert: 0.5,
    halbieren: 0.5,
  }),
  ...list('group', {
    dutzend: 12,
    beide: 2,
    beiden: 2,
    doppelt: 2,
    doppelte: 2,
    doppelten: 2,
    verdoppelt: 2,
    verdoppeln: 2,
    verdoppelte: 2,
    verdreifacht: 3,
    vervierfacht: 4,
    verdoppelten: 2,
    verdoppelung: 2,
    verdopplung: 2,
    verdreifachen: 3,
    verdreifachte: 3,
    verdreifachten: 3,
    vervierfachte: 4,
    vervierfachen: 4,
    verfünffacht: 5,
    verfünffachte: 5,
    verfünffachen: 5,
    verzehnfacht: 10,
    verzehnfachte: 10,
  }),
];

const OTHERS: Readonly<Record<Language, [string, NumberWord][]>> = {
  en: english,
  es: spanish,
  fr: french,
  de: german,
};

/** The number words of each language, by their lower case. Those of French with a hyphen are phrases of two words. */
export const NUMBER_WORDS: Readonly<Record<Language, ReadonlyMap<string, NumberWord>>> = {
  en: new Map(OTHERS.en),
  es: new Map(OTHERS.es),
  fr: new Map(OTHERS.fr),
  de: new Map(OTHERS.de),
};

/** The words between the parts of a numeral: a hundred *and* five, treinta *y* cinco, vingt *et* un. */
export const NUMBER_CONNECTORS: Readonly<Record<Language, string>> = {
  en: 'and',
  es: 'y',
  fr: 'et',
  de: 'und',
};
