import type { SqlValue } from '../../../sql/statement-batch.ts';

type Parse = (text: string) => SqlValue;

/** A whole number beyond 2^53 stays text, as all of its digits count. */
const integer: Parse = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text);

/** JSON has no NaN and no infinity. */
const fraction: Parse = (text) => (Number.isFinite(Number(text)) ? Number(text) : null);

const numeric: Parse = (text) => (/^-?\d+$/.test(text) ? integer(text) : fraction(text));

/** ISO 8601: `2024-02-29T12:00:00.5+02:00`. Other forms stay what they are. */
const timestamp: Parse = (text) =>
  text
    .replace(/^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)/, '$1T$2')
    .replace(/([+-]\d\d)$/, '$1:00')
    .replace(/\+00:00$/, 'Z');

const base64: Parse = (text) =>
  text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('base64') : text;

const asText: Parse = (text) => text;

/** By the number of the type. Whatever is not here is text, JSON among it: it is text on every engine. */
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

/** How a value of a type is read, as JSON has it. */
export function parserOf(type: number): Parse {
  return PARSERS[type] ?? asText;
}

/** Bytes that a value takes, about. */
export function weightOf(value: SqlValue): number {
  return typeof value === 'string' ? value.length : 8;
}
