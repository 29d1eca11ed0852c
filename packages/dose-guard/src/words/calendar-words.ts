import { lexiconsOf } from './lexicon.ts';
import { byLanguage, setOf } from './table.ts';

/** The months in lower case, with their abbreviations. */
const NAMES = [
  'january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec',
  'enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/setiembre/sep/sept octubre/oct noviembre/nov diciembre/dic',
  'janvier/janv février/févr mars avril/avr mai juin juillet/juil août/aout septembre octobre/oct novembre/nov décembre/déc',
  'januar/jänner/jan februar/feb märz/mrz april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez',
];

export const MONTHS = byLanguage(
  (_, column) =>
    new Map(
      NAMES[column]
        ?.split(' ')
        .flatMap((forms, index) => forms.split('/').map((form) => [form, index + 1] as const)),
    ),
);

/** Words between the parts of a date: 12 de marzo de 2024, the 3rd of May. */
export const DATE_FILLERS = setOf('of de del , . in im des jahres');

/** Words behind a time of day that tell which half of the day it is in. */
export const DAY_HALVES = lexiconsOf(
  `
am | am in_the_morning o_clock_in_the_morning | am de_la_mañana de_la_madrugada horas_de_la_mañana | du_matin h_du_matin heures_du_matin | uhr_morgens uhr_früh uhr_vormittags
pm | pm in_the_evening in_the_afternoon at_night o_clock_in_the_evening o_clock_in_the_afternoon o_clock_at_night | pm de_la_tarde de_la_noche horas_de_la_tarde horas_de_la_noche | du_soir de_l_après_midi h_du_soir heures_du_soir heures_de_l_après_midi | uhr_abends uhr_nachmittags uhr_nachts
`,
  (half) => half as 'am' | 'pm',
);

/** Times of day that have a name, in minutes. */
export const NAMED_TIMES = lexiconsOf(
  `
720 | noon midday | mediodía | midi | mittag mittags
0 | midnight | medianoche | minuit | mitternacht
`,
  Number,
);
