import type { Language } from '../findings.ts';

const months = (names: string): ReadonlyMap<string, number> =>
  new Map(
    names.split(' ').flatMap((forms, index) => forms.split('/').map((form) => [form, index + 1] as const)),
  );

/** The months in lower case, with their abbreviations. */
export const MONTHS: Readonly<Record<Language, ReadonlyMap<string, number>>> = {
  en: months(
    'january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec',
  ),
  es: months(
    'enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/setiembre/sep/sept octubre/oct noviembre/nov diciembre/dic',
  ),
  fr: months(
    'janvier/janv février/févr mars avril/avr mai juin juillet/juil août/aout septembre octobre/oct novembre/nov décembre/déc',
  ),
  de: months(
    'januar/jänner/jan februar/feb märz/mrz april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez',
  ),
};

/** Words between the parts of a date: 12 de marzo de 2024, the 3rd of May. */
export const DATE_FILLERS: ReadonlySet<string> = new Set([
  'of',
  'de',
  'del',
  ',',
  '.',
  'in',
  'im',
  'des',
  'jahres',
]);

/** Words behind a time of day that tell which half of the day it is in, with the hours to add to one before noon. */
export const DAY_HALVES: Readonly<Record<Language, readonly (readonly [string, 'am' | 'pm'])[]>> = {
  en: [
    ['am|in the morning|o clock in the morning', 'am'],
    [
      'pm|in the evening|in the afternoon|at night|o clock in the evening|o clock in the afternoon|o clock at night',
      'pm',
    ],
  ],
  es: [
    ['am|de la mañana|de la madrugada|horas de la mañana', 'am'],
    ['pm|de la tarde|de la noche|horas de la tarde|horas de la noche', 'pm'],
  ],
  fr: [
    ['du matin|h du matin|heures du matin', 'am'],
    ['du soir|de l après midi|h du soir|heures du soir|heures de l après midi', 'pm'],
  ],
  de: [
    ['uhr morgens|uhr früh|uhr vormittags', 'am'],
    ['uhr abends|uhr nachmittags|uhr nachts', 'pm'],
  ],
};

/** Words that make a bare number a time of day. */
export const CLOCK_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(['o']),
  es: new Set([]),
  fr: new Set([]),
  de: new Set(['uhr']),
};

export const NAMED_TIMES: Readonly<Record<Language, readonly (readonly [string, number])[]>> = {
  en: [
    ['noon|midday', 720],
    ['midnight', 0],
  ],
  es: [
    ['mediodía', 720],
    ['medianoche', 0],
  ],
  fr: [
    ['midi', 720],
    ['minuit', 0],
  ],
  de: [
    ['mittag|mittags', 720],
    ['mitternacht', 0],
  ],
};
