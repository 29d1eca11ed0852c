import { abbreviate } from '../../../core/errors.ts';
import type { Filter } from '../../../core/filter.ts';
import type { TableSchema } from '../../../database/schema.ts';
import {
  invalidFilter,
  OPERATOR,
  type Operator,
  type RawCondition,
  typedCondition,
} from './parse-condition.ts';

const MAX_GROUP_DEPTH = 10;
const MAX_CONDITIONS = 500;
const MAX_LIST_VALUES = 1_000;

const GROUP = /(not\.)?(and|or)=?\(/y;
/** White space may stand before a member and behind a group in a group, as in PostgREST. Elsewhere it belongs to a value. */
const SPACE = /\s*/y;
const COLUMN = /([A-Za-z_]\w*)([.=])/y;
/** Matches the start of a member of a group, after a comma or an ampersand that may also belong to a value. */
const MEMBER =
  /\s*(?:(?:not\.)?(?:and|or)=?\(|[A-Za-z_]\w*=|[A-Za-z_]\w*\.(?:not\.)?(?:eq|neq|gte?|lte?|i?like|is|in|not_in)\.)/y;

/** Parses the filter of one column, `op.value`. Throws UNKNOWN_COLUMN, INVALID_FILTER. */
export function parseColumnFilter(table: TableSchema, column: string, text: string): Filter {
  const scanner = new Scanner(text);
  const operator = readOperator(scanner);
  if (isList(operator)) {
    const values = readList(scanner, meaningsOf);
    if (!scanner.done) throw invalidFilter('A list ends with its closing bracket: column=in.(a,b).');
    return typedCondition(table, { column, ...operator, values });
  }
  const rest = scanner.rest();
  const values = meaningsOf(rest);
  if (values.length === 1) return typedCondition(table, { column, ...withNull(operator, rest) });
  const { operator: name, negated } = operator;
  if (name === 'eq' || name === 'neq') {
    return typedCondition(table, { column, operator: name === 'eq' ? 'in' : 'not_in', negated, values });
  }
  // A pattern may contain "%" itself: only a pattern with an encoded "%" was encoded twice.
  const encodedTwice = !name.endsWith('like') || rest.includes('%25');
  return typedCondition(table, {
    column,
    operator: name,
    negated,
    values: values.slice(encodedTwice ? 1 : 0),
  });
}

/** Parses the group `(…)` of `and=`, `or=`, `not.and=` or `not.or=`. Throws UNKNOWN_COLUMN, INVALID_FILTER. */
export function parseGroupFilter(table: TableSchema, key: string, text: string): Filter {
  const scanner = new Scanner(`${key}=${text}`);
  const filter = readMember(scanner, { table, depth: 0, conditions: { left: MAX_CONDITIONS } });
  if (!scanner.done) throw invalidFilter('There is something behind the last closing bracket of a group.');
  return filter;
}

interface GroupContext {
  table: TableSchema;
  depth: number;
  /** Conditions that the outermost group may still have. */
  conditions: { left: number };
}

function readMember(scanner: Scanner, context: GroupContext): Filter {
  const group = scanner.take(GROUP);
  if (group) return readGroup(scanner, context, group[1] !== undefined, group[2] === 'or' ? 'or' : 'and');
  const first = readCondition(scanner, context);
  // Existing clients join the conditions of one member with "&".
  if (!scanner.startsMemberAfter('&')) return first;
  const joined = [first];
  while (scanner.startsMemberAfter('&')) {
    scanner.skip('&');
    joined.push(readCondition(scanner, context));
  }
  return { kind: 'and', of: joined };
}

function readGroup(scanner: Scanner, context: GroupContext, negated: boolean, kind: 'and' | 'or'): Filter {
  const inner = { ...context, depth: context.depth + 1 };
  if (inner.depth > MAX_GROUP_DEPTH) {
    throw invalidFilter(`Groups may be nested ${MAX_GROUP_DEPTH} deep at most.`);
  }
  const of: Filter[] = [];
  do {
    scanner.take(SPACE);
    of.push(readMember(scanner, inner));
  } while (scanner.skip(','));
  if (!scanner.skip(')'))
    throw invalidFilter('A group lacks its closing bracket, or a comma between conditions.');
  if (context.depth > 0) scanner.take(SPACE);
  const group: Filter = { kind, of };
  return negated ? { kind: 'not', of: group } : group;
}

function readCondition(scanner: Scanner, { table, conditions }: GroupContext): Filter {
  if (conditions.left-- === 0) throw invalidFilter(`A group may hold ${MAX_CONDITIONS} conditions at most.`);
  const start = scanner.take(COLUMN);
  const [, column = '', sign] = start ?? [];
  if (!start) throw invalidFilter('A group holds conditions like column.eq.value, with commas between them.');
  const operator = readOperator(scanner);
  if (isList(operator)) return typedCondition(table, { column, ...operator, values: readList(scanner) });
  const quoted = readQuoted(scanner, (next) => next === ',' || next === ')' || next === '&');
  if (quoted !== undefined) return typedCondition(table, { column, ...operator, values: [quoted] });
  const value = sign === '=' ? readUnquotedValue(scanner) : scanner.until(/[,)]/g);
  return typedCondition(table, { column, ...withNull(operator, value) });
}

interface WrittenOperator {
  operator: Operator;
  negated: boolean;
  /** Whether there was no operator: older clients write `not.value` for `neq`. */
  bare: boolean;
}

function readOperator(scanner: Scanner): WrittenOperator {
  const found = scanner.take(OPERATOR);
  if (found) return { negated: found[1] !== undefined, operator: found[2] as Operator, bare: false };
  if (scanner.skip('not.')) return { negated: true, operator: 'eq', bare: true };
  const [word = ''] = scanner.rest().split('.', 1);
  throw invalidFilter(
    `"${abbreviate(word)}" is no operator: a condition starts with one of eq, neq, gt, gte, lt, lte, like, ilike, is, in, not_in, or with not. before it.`,
  );
}

const isList = ({ operator }: WrittenOperator) => operator === 'in' || operator === 'not_in';

/** Reads `not.null` of older clients as `is not null`. */
function withNull({ operator, negated, bare }: WrittenOperator, value: string): Omit<RawCondition, 'column'> {
  return { operator: bare && value === 'null' ? 'is' : operator, negated, values: [value] };
}

/** Reads a list `(a,b,"c,d")`. */
function readList(scanner: Scanner, unquoted = (value: string): readonly string[] => [value]): string[] {
  if (!scanner.skip('(')) throw invalidFilter('A list stands in brackets: column=in.(a,b).');
  if (scanner.skip(')')) return [];
  const values: string[] = [];
  let length = 0;
  do {
    length += 1;
    if (length > MAX_LIST_VALUES) throw invalidFilter(`A list may hold ${MAX_LIST_VALUES} values at most.`);
    const quoted = readQuoted(scanner, (next) => next === ',' || next === ')');
    if (quoted !== undefined) values.push(quoted);
    else values.push(...unquoted(scanner.untilBalanced((sign) => sign === ',')));
  } while (scanner.skip(','));
  if (!scanner.skip(')')) throw invalidFilter('A list lacks its closing bracket.');
  return values;
}

/** Reads `"…"`, with `\"` and `\\` in it, if a separator follows; otherwise reads nothing. */
function readQuoted(scanner: Scanner, isSeparator: (next: string) => boolean): string | undefined {
  const quoted = scanner.peek(/"((?:[^"\\]|\\.)*)"/sy);
  if (!quoted || !isSeparator(scanner.charAfter(quoted[0].length))) return undefined;
  scanner.skip(quoted[0]);
  return (quoted[1] ?? '').replace(/\\(.)/gs, '$1');
}

/** Reads a value of the form `a=eq.1`, whose clients quote nothing: a comma ends the value only if a member follows. */
function readUnquotedValue(scanner: Scanner): string {
  return scanner.untilBalanced((sign) => scanner.startsMemberAfter(sign));
}

/**
 * Returns the meanings of a value: the value itself and, if encoding it again gives exactly the value, the decoded one.
 * Older clients encode a value, and then the URL that contains it.
 */
function meaningsOf(value: string): [string] | [string, string] {
  if (!/%[0-9A-F]{2}/.test(value)) return [value];
  try {
    const decoded = decodeURIComponent(value);
    const twice = encodeURIComponent(decoded) === value && !decoded.includes('\0');
    return twice ? [value, decoded] : [value];
  } catch {
    return [value];
  }
}

/** Reads a text from left to right. */
class Scanner {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#position === this.#text.length;
  }

  rest(): string {
    const rest = this.#text.slice(this.#position);
    this.#position = this.#text.length;
    return rest;
  }

  charAfter(length: number): string {
    return this.#text.charAt(this.#position + length);
  }

  peek(sticky: RegExp, skipped = 0): RegExpExecArray | null {
    sticky.lastIndex = this.#position + skipped;
    return sticky.exec(this.#text);
  }

  take(sticky: RegExp): RegExpExecArray | null {
    const found = this.peek(sticky);
    if (found) this.#position += found[0].length;
    return found;
  }

  skip(word: string): boolean {
    const found = this.#text.startsWith(word, this.#position);
    if (found) this.#position += word.length;
    return found;
  }

  startsMemberAfter(sign: string): boolean {
    return this.#text.startsWith(sign, this.#position) && this.peek(MEMBER, sign.length) !== null;
  }

  until(global: RegExp): string {
    global.lastIndex = this.#position;
    const end = global.exec(this.#text)?.index ?? this.#text.length;
    const found = this.#text.slice(this.#position, end);
    this.#position = end;
    return found;
  }

  /** Reads up to an unmatched closing bracket, or to a comma or an ampersand for which `ends` returns true. */
  untilBalanced(ends: (sign: ',' | '&') => boolean): string {
    const start = this.#position;
    let open = 0;
    for (; this.#position < this.#text.length; this.#position++) {
      const sign = this.#text.charAt(this.#position);
      if (sign === '(') open += 1;
      else if (sign === ')' && open-- === 0) break;
      else if ((sign === ',' || sign === '&') && open === 0 && ends(sign)) break;
    }
    return this.#text.slice(start, this.#position);
  }
}
