import { type LoggerOptions, stdSerializers } from 'pino';
import { FaultLines, knownFault } from './fault-lines.ts';

/** Characters of a text in the log. Strangers choose paths and user agents, and errors quote what they sent. */
const LONGEST_TEXT = 1_000;
/** Characters of an error's message and stack each. */
const LONGEST_STACK = 4_000;
/** Elements of a list, and fields of an object, that are logged. */
const MAX_VALUES = 50;
const DEEPEST = 4;

/**
 * Creates the options of a logger whose lines have a greatest length, whatever they are about. A known fault is written without
 * its stack and once a second, with the number of lines that were left out (`more`): while a part is away, each request fails.
 */
export function createLogOptions(): LoggerOptions {
  const lines = new FaultLines();
  return {
    base: null,
    // Most lines are those of requests, whose values are short.
    formatters: { log: (fields) => (isShort(fields) ? fields : shortenFields(fields, DEEPEST)) },
    timestamp: isoTime,
    serializers: { err: (error: unknown) => shortenError(stdSerializers.err(error as Error)) },
    hooks: {
      logMethod(args, log) {
        const [fields, ...text] = args as unknown as [{ err?: unknown } | undefined, ...string[]];
        const fault = knownFault(fields?.err);
        if (!fault) return log.apply(this, args);
        const more = lines.take(fields?.err as Error, text[0]);
        if (more === undefined) return;
        log.call(this, { ...fields, err: fault, ...(more > 0 && { more }) }, ...text);
      },
    },
  };
}

let writtenAt = 0;
let writtenTime = '';

/** Returns the time as pino expects it, which it puts into text once for all lines of a millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== writtenAt) {
    writtenAt = now;
    writtenTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return writtenTime;
}

/** Returns whether all values are numbers and short texts, and there are few. */
function isShort(fields: Record<string, unknown>): boolean {
  let count = 0;
  for (const name in fields) {
    const value = fields[name];
    count += 1;
    if (count > MAX_VALUES || name.length > LONGEST_TEXT) return false;
    if (typeof value !== 'number' && !(typeof value === 'string' && value.length <= LONGEST_TEXT))
      return false;
  }
  return true;
}

/** Returns a text, or its beginning and how long it was. */
function shortenText(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}… (${text.length} characters)`;
}

function shortenError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return shorten(error, DEEPEST);
  const { message, stack, ...rest } = error as { message?: unknown; stack?: unknown };
  return {
    ...shortenFields(rest, DEEPEST),
    message: shortenText(String(message ?? ''), LONGEST_STACK),
    ...(stack ? { stack: shortenText(String(stack), LONGEST_STACK) } : {}),
  };
}

function shortenFields(fields: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(fields).slice(0, MAX_VALUES);
  return Object.fromEntries(
    entries.map(([name, value]) => [shortenText(name), name === 'err' ? value : shorten(value, depth)]),
  );
}

/** Errors are left to their serialiser, and dates and the like to JSON. */
function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortenText(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error) return shortenError(stdSerializers.err(value));
  if (depth === 0) return '…';
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_VALUES).map((element) => shorten(element, depth - 1));
    return value.length > shown.length ? [...shown, `… (${value.length} in all)`] : shown;
  }
  return shortenFields(value, depth - 1);
}
