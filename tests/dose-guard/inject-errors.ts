import type { CompareOptions, Language } from '../../packages/dose-guard/src/index.ts';
import * as quantities from './error-quantities.ts';
import * as words from './error-words.ts';
import { LANGUAGES, type Pair } from './read-sentences.ts';

/** An error in a translation that was correct. */
export interface Injected {
  kind: string;
  /** The guard has to block it; otherwise a warning is enough. */
  blocks: boolean;
  text: string;
  options?: CompareOptions;
}

type Random = () => number;

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)];

interface Literal {
  text: string;
  start: number;
  end: number;
}

/** Numbers of the prose: none of a name such as COVID-19, of a link, a mark, a section or a Roman numeral. */
const NUMBER = /(?<![\p{L}\d\-./:^_]|\d[.,])\d+(?:[ .,'’]\d{3})*(?:[.,]\d+)?(?![\d]|[.,]\d)/gu;
const NO_PROSE =
  /:cite\[[^\]]*\]|\[\^[^\]]*\]|\([^)]*:\/\/[^)]*\)|:sup\[[^\]]*\]|Vitamin[ae]? ?D3|4\.2|\b1:\d+|4-0|14 f|3 J/gu;

function numbersIn(text: string): Literal[] {
  const hidden = text.replace(NO_PROSE, (found) => '_'.repeat(found.length));
  return [...hidden.matchAll(NUMBER)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const splice = (text: string, { start, end }: Literal, by: string) =>
  text.slice(0, start) + by + text.slice(end);

/** Changes one number of a text, chosen at random among those for which there is a change. */
function changeNumber(
  text: string,
  random: Random,
  change: (number: string, behind: string) => string | undefined,
): string | undefined {
  const changes = numbersIn(text).flatMap((literal) => {
    const changed = change(literal.text, text.slice(literal.end));
    return changed !== undefined && changed !== literal.text ? [splice(text, literal, changed)] : [];
  });
  return pick(changes, random);
}

/** Puts one phrase for another where it stands between words. */
function exchange(
  text: string,
  rows: readonly (readonly [string, string])[],
  random: Random,
): string | undefined {
  const changes = rows.flatMap(([from, to]) => {
    const at = text.indexOf(from);
    if (at < 0) return [];
    const isWord = (index: number) => /[\p{L}\d]/u.test(text[index] ?? '');
    const isBroken =
      (isWord(at) && isWord(at - 1)) || (isWord(at + from.length - 1) && isWord(at + from.length));
    return isBroken ? [] : [text.slice(0, at) + to + text.slice(at + from.length)];
  });
  return pick(changes, random);
}

const unitPattern = (unit: string) => new RegExp(`(?<=\\d ?)${unit}(?![\\p{L}\\d²³])`, 'u');

const decimalSign = (language: Language) => (language === 'en' ? '.' : ',');

/** Moves the decimal sign by one place. */
function shift(number: string, language: Language): string | undefined {
  const sign = decimalSign(language);
  const [whole = '', part] = number.split(sign);
  if (part === undefined || /\D/.test(whole)) return undefined;
  if (part.length === 1) return `${whole === '0' ? '' : whole}${part}`;
  return `${whole === '0' ? '' : whole}${part[0]}${sign}${part.slice(1)}`;
}

type Injector = (pair: Pair, random: Random) => string | undefined;

const numberErrors: Readonly<Record<string, Injector>> = {
  tenfold: ({ target }, random) =>
    changeNumber(target.text, random, (number) =>
      /^[1-9]\d*$/.test(number) ? `${number}0` : shift(number, target.language),
    ),
  'a tenth': ({ target }, random) =>
    changeNumber(target.text, random, (number) =>
      /^[1-9]\d*0$/.test(number) ? number.slice(0, -1) : undefined,
    ),
  'decimal shifted': ({ target }, random) =>
    changeNumber(target.text, random, (number) => shift(number, target.language)),
  'comma and point exchanged': ({ target }, random) =>
    changeNumber(target.text, random, (number) =>
      // Spanish has both decimal signs, so that only thousands change.
      target.language === 'es' && !/[.,]\d{3}$/.test(number)
        ? undefined
        : number.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')),
    ),
  'digit changed': ({ target }, random) =>
    changeNumber(target.text, random, (number) =>
      number.replace(/^\d/, (digit) => String((Number(digit) % 9) + 1)),
    ),
  'unit changed': ({ target }, random) => {
    const symbols = quantities.UNITS.flatMap(([from, to]) => {
      const changed = target.text.replace(unitPattern(from), to);
      return changed === target.text ? [] : [changed];
    });
    const spoken = exchange(target.text, quantities.UNIT_WORDS[target.language], random);
    return pick(spoken === undefined ? symbols : [...symbols, spoken], random);
  },
  'comparator exchanged': ({ target }, random) =>
    exchange(target.text, words.COMPARATORS[target.language], random),
  'comparator dropped': ({ target }, random) =>
    exchange(
      target.text,
      words.DROPPED[target.language].map((word) => [word, ''] as const),
      random,
    ),
  'comparator added': ({ target: { text, language } }, random) => {
    const added = { en: 'more than', es: 'más de', fr: 'plus de', de: 'mehr als' }[language];
    const places = numbersIn(text).filter(
      ({ start, end }) =>
        /^ ?(?:mg|ml|g|µg|%)(?![\p{L}/])/u.test(text.slice(end)) && /\p{L} $/u.test(text.slice(0, start)),
    );
    const bare = places.filter(
      ({ start }) =>
        !/(?:than|als|de|à|a|to|bis|über|unter|below|above|least|moins|mindestens|höchstens|about|etwa|about|under|und|and|y|et|or|ou|o|bzw\.|between|entre|zwischen|zu|los|les|most|unos|environ|roughly|minus|menos|insgesamt|total|maximum|maximal|of|von|per|pro|por|par|um|auf|hasta|be|beträgt|es|el|un|maximum|al|del) $/u.test(
          text.slice(0, start),
        ),
    );
    const place = pick(bare, random);
    return place && splice(text, place, `${added} ${place.text}`);
  },
  'end of a range changed': ({ target }, random) => {
    const match =
      /(\d+(?:[.,]\d+)?)((?: ?[^\s\d]{0,4})? ?(?:–|-|to|bis|a|à|y|und|et) ?)(\d+(?:[.,]\d+)?)(?= ?(?:mg|ml|g|hours|horas|heures|Stunden|%|days|días|jours|Tage|°C|minutes|minutos|Minuten))/u.exec(
        target.text,
      );
    if (!match) return undefined;
    const end = random() < 0.5 ? 1 : 3;
    const changed = match
      .slice(1)
      .map((part, index) =>
        index + 1 === end ? part.replace(/^\d/, (digit) => String((Number(digit) % 9) + 1)) : part,
      );
    return (
      target.text.slice(0, match.index) + changed.join('') + target.text.slice(match.index + match[0].length)
    );
  },
  'number dropped': ({ target }, random) => changeNumber(target.text, random, () => ''),
  'number doubled': ({ target }, random) =>
    changeNumber(target.text, random, (number) => `${number} ${number}`),
  'frequency changed': ({ target }, random) =>
    exchange(target.text, quantities.FREQUENCIES[target.language], random),
  'route changed': ({ target }, random) => exchange(target.text, words.ROUTES[target.language], random),
  'date changed': ({ target }, random) => {
    const year = target.text.replace(
      /\b(19|20)(\d)(\d)\b/,
      (_, century, decade, last) => `${century}${decade}${(Number(last) + 1) % 10}`,
    );
    const month = exchange(target.text, quantities.MONTHS[target.language], random);
    const changes = [year, month].filter((text) => text !== undefined && text !== target.text);
    return pick(changes, random);
  },
  'percent dropped': ({ target }) =>
    target.text.replace(/ ?%| percent\b| por ciento| pour cent| Prozent\b/g, ''),
  'sign dropped': ({ target }) =>
    target.text.replace(/−|minus |(?<!al )menos (?=\d)|(?<!au )moins (?=\d)/, ''),
  'sign added': ({ target }) =>
    target.text.replace(/(?<=[\p{L},] )(?<!min?us |menos |moins )(?=\d+ ?(?:°C|dpt|D\b|mmol))/u, '−'),
  'negation dropped': ({ target }, random) => exchange(target.text, words.NEGATIONS[target.language], random),
  'negation added': ({ target }, random) =>
    // A second negation may say the same as the first.
    /\b(?:no|not|never|nicht|nie|niemals|kein|keine|pas|jamais|nunca|ni)\b/i.test(target.text)
      ? undefined
      : exchange(target.text, words.ADDED_NEGATIONS[target.language], random),
  'million and billion': ({ target }, random) =>
    exchange(target.text, quantities.LARGE_NUMBERS[target.language], random),
  'numbers exchanged': ({ target: { text } }, random) => {
    const numbers = numbersIn(text);
    const pairs = numbers.flatMap((one, index) =>
      numbers
        .slice(index + 1)
        .filter((other) => other.text !== one.text)
        .map((other) => [one, other] as const),
    );
    const pair = pick(pairs, random);
    return pair && splice(splice(text, pair[1], pair[0].text), pair[0], pair[1].text);
  },
  'number word changed': ({ target }, random) =>
    exchange(target.text, quantities.NUMBER_WORDS[target.language], random),
};

/** Returns a text without its second half: the last sentences, or the last words. */
function firstHalf(text: string): string | undefined {
  const sentences = text.split(/(?<=[.!?]) /);
  if (sentences.length > 1) return sentences.slice(0, Math.ceil(sentences.length / 2)).join(' ');
  const all = text.split(' ');
  return all.length < 8 ? undefined : all.slice(0, Math.floor(all.length / 2)).join(' ');
}

const otherErrors: Readonly<Record<string, Injector>> = {
  'rounding dropped': ({ target }, random) =>
    exchange(
      target.text,
      words.ROUNDINGS[target.language].map((word) => [word, ''] as const),
      random,
    ),
  'link changed': ({ target }) => target.text.replace(/(?<=\]\()[^)]+/, 'https://example.org/other'),
  'footnote mark lost': ({ target }) => target.text.replace(/\[\^[^\]]+\]/, ''),
  'citation lost': ({ target }) => target.text.replace(/ ?:cite\[[^\]]+\]/, ''),
  'mark-up broken': ({ target }) => target.text.replace(/(?<=\p{L})\*\*|(?<=:sup\[\d)\]/u, ''),
  'left untranslated': ({ source, target }) =>
    source.text.split(' ').length > 5 && source.text !== target.text ? source.text : undefined,
  'in a third language': ({ sentence, source, target }) => {
    const third = LANGUAGES.find((language) => language !== source.language && language !== target.language);
    const text = third && sentence.texts[third];
    return text && text.split(' ').length > 7 ? text : undefined;
  },
  'half dropped': ({ target }) => firstHalf(target.text),
  doubled: ({ target }) => (target.text.split(' ').length > 4 ? `${target.text} ${target.text}` : undefined),
};

/** Terms whose translation is in the sentences, to be left out by an error. */
const TERMS: readonly Readonly<Record<Language, string>>[] = [
  { en: 'tablet', es: 'comprimido', fr: 'comprimé', de: 'Tablette' },
  { en: 'patient', es: 'paciente', fr: 'patient', de: 'Patient' },
  { en: 'creatinine', es: 'creatinina', fr: 'créatinine', de: 'Kreatinin' },
  { en: 'blood pressure', es: 'presión arterial', fr: 'pression artérielle', de: 'Blutdruck' },
];

function missTerm({ source, target }: Pair): Injected | undefined {
  for (const term of TERMS) {
    const [from, to] = [term[source.language], term[target.language]];
    const at = target.text.toLowerCase().indexOf(to.toLowerCase());
    if (at < 0 || !source.text.toLowerCase().includes(from.toLowerCase())) continue;
    const text = `${target.text.slice(0, at)}Xyz${target.text.slice(at + to.length)}`.replaceAll(
      new RegExp(to, 'gi'),
      'Xyz',
    );
    return {
      kind: 'term not used',
      blocks: false,
      text,
      options: { terms: [{ source: from, target: to, translate: true }] },
    };
  }
  return undefined;
}

/** Returns one error of each kind that a pair allows. */
export function injectErrors(pair: Pair, random: Random): Injected[] {
  const errors: Injected[] = [];
  for (const [injectors, blocks] of [
    [numberErrors, true],
    [otherErrors, false],
  ] as const) {
    for (const [kind, inject] of Object.entries(injectors)) {
      const text = inject(pair, random);
      if (text !== undefined && text !== pair.target.text) errors.push({ kind, blocks, text });
    }
  }
  const term = missTerm(pair);
  return term ? [...errors, term] : errors;
}
