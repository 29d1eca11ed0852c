import type { SqlValue } from '../../../sql/statement-batch.ts';

type Parse = (text: string) => SqlValue;

/** An integer beyond 2^53 stays text, with all of its digits. */
const integer: Parse = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text);

/** JSON has no NaN and no infinity. */
const fraction: Parse = (text) => (Number.isFinite(Number(text)) ? Number(text) : null);

const numeric: Parse = (text) => (/^-?\d+$/.test(text) ? integer(text) : fraction(text));

/** Writes ISO 8601: `2024-02-29T12:00:00.5+02:00`. Other forms stay as they are. */
const timestamp: Parse = (text) =>
  text
    .replace(/^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)/, '$1T$2')
    .replace(/([+-]\d\d)$/, '$1:00')
    .replace(/\+00:00$/, 'Z');

const base64: Parse = (text) =>
  text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('base64') : text;

const asText: Parse = (text) => text;

/** Parsers by the object identifier of the type. All other types are text, JSON included, as on SQLite. */
const PARSERS: Readonly<Record<number, Parse>> = {
  16: (text) => text === 't',
  17: base64,
  20: integer,
  21: integer,
  23: integer,
  26: integer,
  700: fraction,
  701: fraction,
  1114: timestamp,
  1184: (text) => timestamp(text),
  1700: numeric,
};

/** Returns the function that parses a value of a type into a value of JSON. */
export function parserOf(type: number): Parse {
  return PARSERS[type] ?? asText;
}
