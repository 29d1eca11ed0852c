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

export const MAX_GROUP_DEPTH = 10;
export const MAX_CONDITIONS = 500;
export const MAX_LIST_VALUES = 1_000;

const GROUP = /(not\.)?(and|or)=?\(/y;
const COLUMN = /([A-Za-z_]\w*)([.=])/y;
/** What the member of a group starts with, where a comma or an ampersand may as well belong to a value. */
const MEMBER =
  /(?:not\.)?(?:and|or)=?\(|[A-Za-z_]\w*=|[A-Za-z_]\w*\.(?:not\.)?(?:eq|neq|gte?|lte?|i?like|is|in|not_in)\./y;

/** What an address holds on one column: `op.value`. Throws UNKNOWN_COLUMN, INVALID_FILTER. */
export function parseColumnFilter(table: TableSchema, column: string, text: string): Filter {
  const scanner = new Scanner(text);
  const operator = readOperator(scanner);
  if (isList(operator)) {
    const values = readList(scanner, readings);
    if (!scanner.done) throw invalidFilter('A list ends with its closing bracket: column=in.(a,b).');
    return typedCondition(table, { column, ...operator, values });
  }
  const rest = scanner.rest();
  const values = readings(rest);
  if (values.length === 1) return typedCondition(table, { column, ...withNull(operator, rest) });
  const { operator: name, negated } = operator;
  if (name === 'eq' || name === 'neq') {
    return typedCondition(table, { column, operator: name === 'eq' ? 'in' : 'not_in', negated, values });
  }
  // A lone "%" stands in patterns of its own right: only one that holds an encoded "%" was encoded twice.
  const twice = !name.endsWith('like') || rest.includes('%25');
  return typedCondition(table, { column, operator: name, negated, values: values.slice(twice ? 1 : 0) });
}

/** `(…)` after `and=`, `or=`, `not.and=` or `not.or=`. Throws UNKNOWN_COLUMN, INVALID_FILTER. */
export function parseGroupFilter(table: TableSchema, key: string, text: string): Filter {
  const scanner = new Scanner(`${key}=${text}`);
  const filter = readMember(scanner, { table, depth: 0, conditions: { left: MAX_CONDITIONS } });
  if (!scanner.done) throw invalidFilter('There is something behind the last closing bracket of a group.');
  return filter;
}

interface Place {
  table: TableSchema;
  depth: number;
  conditions: { left: number };
}

function readMember(scanner: Scanner, place: Place): Filter {
  const group = scanner.take(GROUP);
  if (group) return readGroup(scanner, place, group[1] !== undefined, group[2] === 'or' ? 'or' : 'and');
  const first = readCondition(scanner, place);
  // Existing clients join the columns of one member with "&".
  if (!scanner.startsMemberAfter('&')) return first;
  const joined = [first];
  while (scanner.startsMemberAfter('&')) {
    scanner.skip('&');
    joined.push(readCondition(scanner, place));
  }
  return { kind: 'and', of: joined };
}

function readGroup(scanner: Scanner, place: Place, negated: boolean, kind: 'and' | 'or'): Filter {
  const inner = { ...place, depth: place.depth + 1 };
  if (inner.depth > MAX_GROUP_DEPTH) {
    throw invalidFilter(`Groups may be nested ${MAX_GROUP_DEPTH} deep at most.`);
  }
  const of: Filter[] = [];
  do of.push(readMember(scanner, inner));
  while (scanner.skip(','));
  if (!scanner.skip(')'))
    throw invalidFilter('A group lacks its closing bracket, or a comma between conditions.');
  const group: Filter = { kind, of };
  return negated ? { kind: 'not', of: group } : group;
}

function readCondition(scanner: Scanner, { table, conditions }: Place): Filter {
  if (conditions.left-- === 0) throw invalidFilter(`A group may hold ${MAX_CONDITIONS} conditions at most.`);
  const start = scanner.take(COLUMN);
  const [, column = '', sign] = start ?? [];
  if (!start) throw invalidFilter('A group holds conditions like column.eq.value, with commas between them.');
  const operator = readOperator(scanner);
  if (isList(operator)) return typedCondition(table, { column, ...operator, values: readList(scanner) });
  const quoted = readQuoted(scanner, (next) => next === ',' || next === ')' || next === '&');
  if (quoted !== undefined) return typedCondition(table, { column, ...operator, values: [quoted] });
  const value = sign === '=' ? readLooseValue(scanner) : scanner.until(/[,)]/g);
  return typedCondition(table, { column, ...withNull(operator, value) });
}

interface WrittenOperator {
  operator: Operator;
  negated: boolean;
  /** `not.value`, without an operator: how older clients write `neq`. */
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

/** `not.null`, again of older clients, can only mean what it says. */
function withNull({ operator, negated, bare }: WrittenOperator, value: string): Omit<RawCondition, 'column'> {
  return { operator: bare && value === 'null' ? 'is' : operator, negated, values: [value] };
}

/** `(a,b,"c,d")`. */
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

/** `"…"` with `\"` and `\\` in it, if a separator follows; otherwise nothing is read. */
function readQuoted(scanner: Scanner, isSeparator: (next: string) => boolean): string | undefined {
  const quoted = scanner.peek(/"((?:[^"\\]|\\.)*)"/sy);
  if (!quoted || !isSeparator(scanner.charAfter(quoted[0].length))) return undefined;
  scanner.skip(quoted[0]);
  return (quoted[1] ?? '').replace(/\\(.)/gs, '$1');
}

/** The form `a=eq.1` comes from clients that quote nothing: a comma in a value is one unless a member follows. */
function readLooseValue(scanner: Scanner): string {
  return scanner.untilBalanced((sign) => scanner.startsMemberAfter(sign));
}

/**
 * What a value may mean: itself, and, since older clients encode a value and then the address that it stands in, what
 * it is when it is decoded once more, if it is exactly as such an encoding would have left it.
 */
function readings(value: string): [string] | [string, string] {
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
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get done(): boolean {
    return this.#at === this.#text.length;
  }

  rest(): string {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return rest;
  }

  charAfter(length: number): string {
    return this.#text.charAt(this.#at + length);
  }

  peek(sticky: RegExp, skipped = 0): RegExpExecArray | null {
    sticky.lastIndex = this.#at + skipped;
    return sticky.exec(this.#text);
  }

  take(sticky: RegExp): RegExpExecArray | null {
    const found = this.peek(sticky);
    if (found) this.#at += found[0].length;
    return found;
  }

  skip(word: string): boolean {
    const found = this.#text.startsWith(word, this.#at);
    if (found) this.#at += word.length;
    return found;
  }

  startsMemberAfter(sign: string): boolean {
    return this.#text.startsWith(sign, this.#at) && this.peek(MEMBER, sign.length) !== null;
  }

  until(global: RegExp): string {
    global.lastIndex = this.#at;
    const end = global.exec(this.#text)?.index ?? this.#text.length;
    const found = this.#text.slice(this.#at, end);
    this.#at = end;
    return found;
  }

  /** Up to the closing bracket that is not opened here, or to a comma or ampersand that `ends` it. */
  untilBalanced(ends: (sign: ',' | '&') => boolean): string {
    const start = this.#at;
    let open = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text.charAt(this.#at);
      if (sign === '(') open += 1;
      else if (sign === ')' && open-- === 0) break;
      else if ((sign === ',' || sign === '&') && open === 0 && ends(sign)) break;
    }
    return this.#text.slice(start, this.#at);
  }
}
