import type { Language } from '../findings.ts';

/** Holds what a phrase says of a frequency: how many times, in how many seconds. `count` is missing where only the period is said. */
export interface FrequencyWord {
  count?: number;
  seconds: number;
  /** A phrase such as "a day" is a period only behind a quantity: "a day later" is none. */
  needsQuantity?: true;
  /** An adjective or part of a compound, which a translation may put otherwise: annual, Tagesdosis. */
  weak?: true;
}

const HOUR = 3600;
const DAY = 86_400;
const WEEK = 7 * DAY;
const MONTH = 2_629_800;
const YEAR = 31_557_600;
const MINUTE = 60;

type Entries<Meaning> = readonly (readonly [string, Meaning])[];
type ByLanguage<Value> = Readonly<Record<Language, Value>>;

const each = (seconds: number): FrequencyWord => ({ seconds });
const weakly = (seconds: number): FrequencyWord => ({ seconds, weak: true });
const behind = (seconds: number): FrequencyWord => ({ seconds, needsQuantity: true });
const daily = (count: number): FrequencyWord => ({ count, seconds: DAY });

/** Abbreviations of prescriptions, in use in all languages. Their dots are not part of what is looked up. */
const PRESCRIPTIONS: Entries<FrequencyWord> = [
  ['qd', daily(1)],
  ['bid|bd|bds', daily(2)],
  ['tid|tds', daily(3)],
  ['qid|qds', daily(4)],
  ['qod', { count: 1, seconds: 2 * DAY }],
  ['qh', each(HOUR)],
];

export const PERIODS: ByLanguage<Entries<FrequencyWord>> = {
  en: [
    ...PRESCRIPTIONS,
    [
      'daily|every day|each day|per day|everyday|nightly|every night|each night|every morning|every evening|each morning|a night|per night',
      each(DAY),
    ],
    ['a day', behind(DAY)],
    ['hourly|every hour|each hour|per hour', each(HOUR)],
    ['an hour', behind(HOUR)],
    ['every minute|per minute|bpm|a minute', each(MINUTE)],
    ['per second', each(1)],
    ['weekly|every week|each week|per week', each(WEEK)],
    ['a week', behind(WEEK)],
    ['fortnightly|every other week|every fortnight', each(2 * WEEK)],
    ['monthly|every month|each month|per month', each(MONTH)],
    ['a fortnight|per fortnight', behind(2 * WEEK)],
    ['a month', behind(MONTH)],
    ['quarterly', each(3 * MONTH)],
    ['yearly|every year|each year|per year|annually|per annum|person year', each(YEAR)],
    ['annual', weakly(YEAR)],
    ['a year', behind(YEAR)],
    ['every other day|on alternate days|alternate days|every second day', each(2 * DAY)],
    ['half hourly', each(HOUR / 2)],
    ['half yearly|biannually|six monthly', each(6 * MONTH)],
  ],
  es: [
    ...PRESCRIPTIONS,
    [
      'al día|por día|diario|diaria|diarios|diarias|diariamente|cada día|todos los días|a diario|cada noche|cada mañana|todas las noches|por noche',
      each(DAY),
    ],
    ['cada hora|por hora', each(HOUR)],
    ['a la hora', behind(HOUR)],
    ['horaria|horario', weakly(HOUR)],
    ['por minuto|al minuto|lpm|rpm|cada minuto', each(MINUTE)],
    ['por segundo', each(1)],
    ['a la semana|por semana|semanal|semanales|semanalmente|cada semana|todas las semanas', each(WEEK)],
    ['al mes|por mes|mensual|mensuales|mensualmente|cada mes|todos los meses', each(MONTH)],
    ['trimestral|trimestrales|trimestralmente|cada trimestre', each(3 * MONTH)],
    ['semestral|semestrales|semestralmente|cada semestre', each(6 * MONTH)],
    ['al año|por año|anualmente|cada año|todos los años', each(YEAR)],
    ['anual|anuales', weakly(YEAR)],
    ['en días alternos|días alternos|un día sí y otro no|un día sí y uno no|a días alternos', each(2 * DAY)],
    ['quincenal|quincenalmente|cada quincena', each(2 * WEEK)],
    ['cada media hora', each(HOUR / 2)],
    ['y día', behind(DAY)],
    ['y semana', behind(WEEK)],
    ['y mes', behind(MONTH)],
    ['y año', behind(YEAR)],
  ],
  fr: [
    ...PRESCRIPTIONS,
    [
      'par jour|quotidien|quotidienne|quotidiens|quotidiennes|quotidiennement|chaque jour|tous les jours|journalier|journalière|journalières|journaliers|chaque nuit|chaque matin|chaque soir|tous les soirs|tous les matins|par nuit|par 24 heures|par 24 h|dans la journée|au cours de la journée',
      each(DAY),
    ],
    ['par heure|toutes les heures|chaque heure', each(HOUR)],
    ['horaire', weakly(HOUR)],
    ['par minute|chaque minute|bpm|toutes les minutes', each(MINUTE)],
    ['par seconde', each(1)],
    [
      'par semaine|hebdomadaire|hebdomadaires|chaque semaine|toutes les semaines|hebdomadairement',
      each(WEEK),
    ],
    ['par mois|mensuel|mensuelle|mensuels|mensuelles|chaque mois|tous les mois|mensuellement', each(MONTH)],
    ['trimestriel|trimestrielle|trimestriellement|chaque trimestre', each(3 * MONTH)],
    ['semestriel|semestrielle|chaque semestre', each(6 * MONTH)],
    ['par an|chaque année|tous les ans|annuellement|par année', each(YEAR)],
    ['l an', behind(YEAR)],
    ['annuel|annuelle|annuels|annuelles', weakly(YEAR)],
    ['un jour sur deux|1 jour sur 2', each(2 * DAY)],
    ['une semaine sur deux', each(2 * WEEK)],
    ['toutes les demi heures', each(HOUR / 2)],
  ],
  de: [
    ...PRESCRIPTIONS,
    [
      'und tag|täglich|tägliche|täglichen|täglicher|tägliches|tgl|tägl|pro tag|je tag|jeden tag|jede nacht|jeden morgen|jeden abend|pro nacht|pro 24 stunden|pro 24 h|kalendertäglich',
      each(DAY),
    ],
    ['am tag', behind(DAY)],
    ['stündlich|stündliche|pro stunde|je stunde|jede stunde|pro std', each(HOUR)],
    ['in der stunde|und stunde', behind(HOUR)],
    ['pro minute|je minute|jede minute|in der minute|bpm|minütlich', each(MINUTE)],
    ['pro sekunde', each(1)],
    [
      'wöchentlich|wöchentliche|wöchentlichen|wöchentlicher|wöchentliches|pro woche|je woche|jede woche',
      each(WEEK),
    ],
    ['in der woche|die woche|und woche', behind(WEEK)],
    ['monatlich|monatliche|monatlichen|monatlicher|pro monat|je monat|jeden monat', each(MONTH)],
    ['im monat|und monat', behind(MONTH)],
    ['vierteljährlich|vierteljährliche|vierteljährlichen|quartalsweise', each(3 * MONTH)],
    ['halbjährlich|halbjährliche|halbjährlichen', each(6 * MONTH)],
    ['und jahr|jährlich|pro jahr|je jahr|jedes jahr|alljährlich', each(YEAR)],
    ['jährliche|jährlichen|jährlicher|jährliches', weakly(YEAR)],
    ['im jahr', behind(YEAR)],
    ['jeden zweiten tag|jeden 2 . tag|jeden 2 tag|jeden anderen tag|einen tag um den anderen', each(2 * DAY)],
    ['jede zweite woche|jede 2 . woche', each(2 * WEEK)],
    ['jede halbe stunde|halbstündlich', each(HOUR / 2)],
  ],
};

/** Beginnings of German compounds that say a period: Tageshöchstdosis. */
export const GERMAN_PERIOD_COMPOUNDS: readonly (readonly [
  beginning: RegExp,
  seconds: number,
  strength?: 'weak',
])[] = [
  [/^tages(?:dos|höchst|maximal|gesamt|menge|bedarf|ration|kosten)/, DAY],
  [/^wochen(?:dos|höchst|menge|stunden|arbeitszeit)/, WEEK],
  [/^monats(?:dos|raten|menge)/, MONTH],
  [/^jahres(?:inzidenz|raten?|dosis|mortalität|überlebens|beitrag|kosten|umsatz|zahl)/, YEAR],
  // Tageslinsen, Monatsbericht: other languages have an adjective.
  [/^tages\p{L}{4}/u, DAY, 'weak'],
  [/^wochen(?!end)\p{L}{4}/u, WEEK, 'weak'],
  [/^monats\p{L}{4}/u, MONTH, 'weak'],
  [/^jahres\p{L}{4}/u, YEAR, 'weak'],
];

/** Endings of German compounds that begin with a numeral. `each` is a frequency, `last` a duration. */
export const GERMAN_ENDINGS: readonly {
  ending: RegExp;
  meaning: 'times' | 'each' | 'last' | 'percent' | 'fold';
  seconds: number;
}[] = [
  { ending: /^mal$|^malig(?:e[nrsm]?)?$|^mals$/, meaning: 'times', seconds: 0 },
  { ending: /^fach/, meaning: 'fold', seconds: 0 },
  { ending: /^minütlich/, meaning: 'each', seconds: MINUTE },
  { ending: /^stündlich/, meaning: 'each', seconds: HOUR },
  { ending: /^täglich/, meaning: 'each', seconds: DAY },
  { ending: /^wöchentlich/, meaning: 'each', seconds: WEEK },
  { ending: /^monatlich/, meaning: 'each', seconds: MONTH },
  { ending: /^jährlich/, meaning: 'each', seconds: YEAR },
  { ending: /^(?:minütig|minuten)/, meaning: 'last', seconds: MINUTE },
  { ending: /^(?:stündig|stunden?)/, meaning: 'last', seconds: HOUR },
  { ending: /^(?:tägig|tages|tage$)/, meaning: 'last', seconds: DAY },
  { ending: /^(?:wöchig|wochen)/, meaning: 'last', seconds: WEEK },
  { ending: /^(?:monatig|monats|monate$)/, meaning: 'last', seconds: MONTH },
  { ending: /^(?:jährig|jahres|jahre$)/, meaning: 'last', seconds: YEAR },
  { ending: /^prozentig/, meaning: 'percent', seconds: 0 },
];

/** Counts in one word. "once" is weak: it is a conjunction too. */
export const COUNTS: ByLanguage<ReadonlyMap<string, number>> = {
  en: new Map([
    ['once', 1],
    ['twice', 2],
    ['thrice', 3],
  ]),
  es: new Map(),
  fr: new Map(),
  de: new Map([
    ['einmal', 1],
    ['einmalig', 1],
    ['zweimal', 2],
    ['dreimal', 3],
  ]),
};

/** Words behind a number that make it a count: 3 times, 3×, drei Mal. */
export const TIMES: ByLanguage<ReadonlySet<string>> = {
  en: new Set(['times', 'time', 'x', '×', 'fold', 'timed']),
  es: new Set(['veces', 'vez', 'x', '×']),
  fr: new Set(['fois', 'x', '×']),
  de: new Set([
    'mal',
    'male',
    'x',
    '×',
    'fach',
    'fache',
    'fachen',
    'facher',
    'malige',
    'maliger',
    'maligen',
    'malig',
  ]),
};

/** Words before a number of hours or days that make it an interval: every 8 hours. */
export const EVERY: ByLanguage<Entries<true>> = {
  en: [['every|each|q', true]],
  es: [['cada|todos los|todas las', true]],
  fr: [['toutes les|tous les|chaque', true]],
  de: [['alle|jede|jeden|jedes', true]],
};

/** Units that a number and an ending say in one: 8-hourly, 8-stündlich. */
export const INTERVAL_ENDINGS: ByLanguage<ReadonlyMap<string, number>> = {
  en: new Map([
    ['hourly', HOUR],
    ['weekly', WEEK],
    ['monthly', MONTH],
    ['yearly', YEAR],
  ]),
  es: new Map(),
  fr: new Map(),
  de: new Map(),
};
