import { lexiconsOf } from './lexicon.ts';
import { type ByLanguage, setsOf } from './table.ts';

/** Holds what a phrase says of a frequency: how many times, in how many seconds. `count` is missing where only the period is said. */
export interface FrequencyWord {
  count?: number;
  seconds: number;
  /** A phrase such as "a day" is a period only behind a quantity: "a day later" is none. */
  needsQuantity?: true;
  /** An adjective or part of a compound, which a translation may put otherwise: annual, Tagesdosis. */
  weak?: true;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const WEEK = 7 * DAY;
const MONTH = 2_629_800;
const YEAR = 31_557_600;
const SECONDS = new Map(
  Object.entries({ second: 1, minute: MINUTE, hour: HOUR, day: DAY, week: WEEK, month: MONTH, year: YEAR }),
);

/** A row says how many of which period; `×` a count in one; `behind` that it needs a quantity before it. The first are prescriptions'. */
const PERIOD_TABLE = `
1 day 1× | qd | qd | qd | qd
1 day 2× | bid bd bds | bid bd bds | bid bd bds | bid bd bds
1 day 3× | tid tds | tid tds | tid tds | tid tds
1 day 4× | qid qds | qid qds | qid qds | qid qds
2 day 1× | qod | qod | qod | qod
1 second | per_second | por_segundo | par_seconde | pro_sekunde
1 minute | every_minute per_minute bpm a_minute | por_minuto al_minuto lpm rpm cada_minuto | par_minute chaque_minute bpm toutes_les_minutes | pro_minute je_minute jede_minute in_der_minute bpm minütlich
0.5 hour | half_hourly | cada_media_hora | toutes_les_demi_heures | jede_halbe_stunde halbstündlich
1 hour | qh hourly every_hour each_hour per_hour | qh cada_hora por_hora | qh par_heure toutes_les_heures chaque_heure | qh stündlich stündliche pro_stunde je_stunde jede_stunde pro_std
1 hour behind | an_hour | a_la_hora | | in_der_stunde und_stunde
1 hour weak | | horari* | horaire |
1 day | daily every_day each_day per_day everyday nightly every_night each_night every_morning every_evening each_morning a_night per_night | al_día por_día diario diaria diarios diarias diariamente cada_día todos_los_días a_diario cada_noche cada_mañana todas_las_noches por_noche | par_jour quotidien* chaque_jour tous_les_jours journali* chaque_nuit chaque_matin chaque_soir tous_les_soirs tous_les_matins par_nuit par_24_heures par_24_h dans_la_journée au_cours_de_la_journée | und_tag täglich* tgl tägl pro_tag je_tag jeden_tag jede_nacht jeden_morgen jeden_abend pro_nacht pro_24_stunden pro_24_h kalendertäglich
1 day behind | a_day | y_día | | am_tag
2 day | every_other_day on_alternate_days alternate_days every_second_day | en_días_alternos días_alternos un_día_sí_y_otro_no un_día_sí_y_uno_no a_días_alternos | un_jour_sur_deux 1_jour_sur_2 | jeden_zweiten_tag jeden_2_._tag jeden_2_tag jeden_anderen_tag einen_tag_um_den_anderen
1 week | weekly every_week each_week per_week | a_la_semana por_semana semanal* cada_semana todas_las_semanas | par_semaine hebdomadaire* chaque_semaine toutes_les_semaines | wöchentlich* pro_woche je_woche jede_woche
1 week behind | a_week | y_semana | | in_der_woche die_woche und_woche
2 week | fortnightly every_other_week every_fortnight | quincenal quincenalmente cada_quincena | une_semaine_sur_deux | jede_zweite_woche jede_2_._woche
2 week behind | a_fortnight per_fortnight | | |
1 month | monthly every_month each_month per_month | al_mes por_mes mensual* cada_mes todos_los_meses | par_mois mensuel* chaque_mois tous_les_mois | monatlich* pro_monat je_monat jeden_monat
1 month behind | a_month | y_mes | | im_monat und_monat
3 month | quarterly | trimestral* cada_trimestre | trimestriel* chaque_trimestre | vierteljährlich* quartalsweise
6 month | half_yearly biannually six_monthly | semestral* cada_semestre | semestriel* chaque_semestre | halbjährlich*
1 year | yearly every_year each_year per_year annually per_annum person_year | al_año por_año anualmente cada_año todos_los_años | par_an chaque_année tous_les_ans annuellement par_année | und_jahr jährlich pro_jahr je_jahr jedes_jahr alljährlich
1 year weak | annual | anual anuales | annuel annuelle annuels annuelles | jährliche jährlichen jährlicher jährliches
1 year behind | a_year | y_año | l_an | im_jahr
`;

export const PERIODS = lexiconsOf(PERIOD_TABLE, (head = ''): FrequencyWord => {
  const [number, period = '', more] = head.split(' ');
  return {
    seconds: Number(number) * (SECONDS.get(period) ?? 0),
    ...(more?.endsWith('×') && { count: Number.parseInt(more, 10) }),
    ...(more === 'behind' && { needsQuantity: true }),
    ...(more === 'weak' && { weak: true }),
  };
});

/** Beginnings of German compounds that say a period: Tageshöchstdosis. */
export const GERMAN_PERIODS: ReadonlyMap<string, number> = new Map([
  ['tages', DAY],
  ['wochen', WEEK],
  ['monats', MONTH],
  ['jahres', YEAR],
]);

/** Other languages have an adjective for what goes on otherwise: Tageslinsen, Monatsbericht. */
export const GERMAN_PERIOD_COMPOUND =
  /^(tages|wochen(?!end)|monats|jahres)(dos|höchst|maximal|gesamt|menge|bedarf|ration|kosten|stunden|arbeitszeit|raten?|inzidenz|mortalität|überlebens|beitrag|umsatz|zahl)?\p{L}{3}/u;

/** Endings of German compounds that begin with a numeral. `each` is a frequency, `last` a duration. */
export const GERMAN_ENDINGS: readonly (readonly [
  ending: RegExp,
  meaning: 'times' | 'each' | 'last' | 'percent' | 'fold',
  seconds: number,
])[] = [
  [/^mal$|^malig(?:e[nrsm]?)?$|^mals$/, 'times', 0],
  [/^fach/, 'fold', 0],
  [/^minütlich/, 'each', MINUTE],
  [/^stündlich/, 'each', HOUR],
  [/^täglich/, 'each', DAY],
  [/^wöchentlich/, 'each', WEEK],
  [/^monatlich/, 'each', MONTH],
  [/^jährlich/, 'each', YEAR],
  [/^(?:minütig|minuten)/, 'last', MINUTE],
  [/^(?:stündig|stunden?)/, 'last', HOUR],
  [/^(?:tägig|tages|tage$)/, 'last', DAY],
  [/^(?:wöchig|wochen)/, 'last', WEEK],
  [/^(?:monatig|monats|monate$)/, 'last', MONTH],
  [/^(?:jährig|jahres|jahre$)/, 'last', YEAR],
  [/^prozentig/, 'percent', 0],
];

/** Counts in one word, from 1 on. Spanish "once" is eleven. */
export const COUNTS: ByLanguage<readonly string[]> = {
  en: ['once', 'twice', 'thrice'],
  es: [],
  fr: [],
  de: ['einmal', 'zweimal', 'dreimal'],
};

/** Words behind a number that make it a count: 3 times, 3×, drei Mal. */
export const TIMES = setsOf(
  'times time x × fold timed',
  'veces vez x ×',
  'fois x ×',
  'mal male x × fach fache fachen facher malige maliger maligen malig',
);

/** Words before a number of hours or days that make it an interval: every 8 hours. */
export const EVERY = lexiconsOf(
  'every | every each q | cada todos_los todas_las | toutes_les tous_les chaque | alle jede jeden jedes',
  () => true,
);

/** Units that a number and an ending say in one: 8-hourly. German has endings of its own. */
export const INTERVAL_ENDINGS: ReadonlyMap<string, number> = new Map([
  ['hourly', HOUR],
  ['weekly', WEEK],
  ['monthly', MONTH],
  ['yearly', YEAR],
]);
