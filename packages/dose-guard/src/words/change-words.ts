import type { Language } from '../findings.ts';

/** Names what a number says of a change: "reduced by 5 mg" is how much, "reduced to 5 mg" is what is left. */
export type Change = 'by' | 'to';

/** The prepositions before such a number. */
export const CHANGE_WORDS: Readonly<Record<Language, ReadonlyMap<string, Change>>> = {
  en: new Map([
    ['by', 'by'],
    ['to', 'to'],
  ]),
  es: new Map([
    ['en', 'by'],
    ['a', 'to'],
  ]),
  fr: new Map([
    ['de', 'by'],
    ['d', 'by'],
    ['à', 'to'],
  ]),
  de: new Map([
    ['um', 'by'],
    ['auf', 'to'],
  ]),
};

/** Beginnings of the words that say that something changes. */
export const CHANGING =
  /^(?:increas|rais|rose|rise|reduc|decreas|lower|cut$|drop|fell$|fall|taper|titrat|escalat|adjust|aument|increment|elev|subi|sube|disminu|baj[aóe]|rebaj|descend|ajust|augment|élev|élèv|rédui|diminu|baiss|abaiss|major|erhöh|steiger|gesteiger|stieg|steig|reduz|senk|gesenk|sank|sink|fiel$|verringer|vermind|angehob|herabge|heraufge|angepass)/;
