import { setsOf } from './table.ts';

/** The prepositions before a number that is how much something changes, and what is left: "reduced by 5 mg", "reduced to 5 mg". */
export const BY = setsOf('by', 'en', 'de d', 'um');
export const TO = setsOf('to', 'a', 'à', 'auf');

/** Beginnings of the words that say that something changes. */
export const CHANGING =
  /^(?:increas|rais|rose|rise|reduc|decreas|lower|cut$|drop|fell$|fall|taper|titrat|escalat|adjust|aument|increment|elev|subi|sube|disminu|baj[aóe]|rebaj|descend|ajust|augment|élev|élèv|rédui|diminu|baiss|abaiss|major|erhöh|steiger|gesteiger|stieg|steig|reduz|senk|gesenk|sank|sink|fiel$|verringer|vermind|angehob|herabge|heraufge|angepass)/;
