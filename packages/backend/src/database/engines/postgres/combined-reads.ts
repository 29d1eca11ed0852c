import { LRUCache } from 'lru-cache';
import type { QueryResult } from 'pg';
import { AppError } from '../../../core/errors.ts';
import type { ReadOptions } from '../../port.ts';
import { joinStatements, repeatStatement, typesOf } from './combine-statements.ts';
import { ConnectionLost, sqlState } from './postgres-error.ts';
import type { Reads } from './reads.ts';

/** Reads of a page in one statement, and times that a statement is run by one. */
const MAX_JOINED = 8;
const MAX_REPEATED = 16;
/** Texts of combined statements that are kept. */
const MAX_TEXTS = 200;
/** Statements that are known by a number. */
const MAX_STATEMENTS = 1_000;
/** Milliseconds that a statement of a combined one may take by itself, after that has failed; for a time, a longer one is combined with none. */
const LONGEST_MS = 100;
const APART_MS = 5 * 60_000;
/** The class of errors that are about a value. */
const DATA_EXCEPTION = '22';

interface WaitingRead {
  text: string;
  values: readonly unknown[];
  columns: number;
  resolve(rows: unknown[][] | Promise<unknown[][]>): void;
  reject(error: unknown): void;
}

/** A statement that returns one row, and the reads whose rows that one has behind one another. */
interface RowStatement {
  text: string;
  values: readonly unknown[];
  reads: readonly WaitingRead[];
}

/**
 * Runs reads that come in the same turn of the event loop as one statement: the reads of a page, and look-ups that differ in their
 * values alone. Other lists run beside each other, in as many of the server's processes. What is spared is the way of each statement to the server and back, and its beginning and end there, which take
 * longer than most of them. When a combined statement fails, each of its reads is run by itself, with its own errors and timeouts.
 */
export class CombinedReads {
  readonly #reads: Pick<Reads, 'query'>;
  #others: WaitingRead[] = [];
  #pages = new Map<object, WaitingRead[]>();
  #flushing: NodeJS.Immediate | undefined;
  readonly #numbers = new LRUCache<string, number>({ max: MAX_STATEMENTS });
  #lastNumber = 0;
  readonly #joined = new LRUCache<string, string>({ max: MAX_TEXTS });
  readonly #repeated = new LRUCache<string, string>({ max: MAX_TEXTS });
  readonly #apart = new LRUCache<string, true>({ max: MAX_STATEMENTS, ttl: APART_MS });

  constructor(reads: Pick<Reads, 'query'>) {
    this.#reads = reads;
  }

  /** Returns the rows of a statement as arrays. Throws what `Reads` throws. */
  values(text: string, values: readonly unknown[], { row, page }: ReadOptions): Promise<unknown[][]> {
    if (!row || !(page || row.isLookUp) || this.#apart.has(text)) return this.#run(text, values);
    return new Promise((resolve, reject) => {
      const read = { text, values, columns: row.columns, resolve, reject };
      if (page) addTo(this.#pages, page, read);
      else this.#others.push(read);
      this.#flushing ??= setImmediate(() => this.flush());
    });
  }

  /** Sends the reads of this turn. */
  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const [others, pages] = [this.#others, this.#pages];
    [this.#others, this.#pages] = [[], new Map()];
    const statements = new Map<string, RowStatement[]>();
    for (const read of others) addTo(statements, read.text, { ...read, reads: [read] });
    for (const reads of pages.values()) {
      for (const some of chunksOf(reads, MAX_JOINED)) {
        const statement = this.#join(some);
        addTo(statements, statement.text, statement);
      }
    }
    for (const alike of statements.values()) {
      for (const some of chunksOf(alike, MAX_REPEATED)) void this.#send(some);
    }
  }

  #join(reads: readonly WaitingRead[]): RowStatement {
    const [only] = reads;
    if (only && reads.length === 1) return { ...only, reads };
    const key = reads.map(({ text }) => this.#numberOf(text)).join(' ');
    const text =
      this.#joined.get(key) ??
      joinStatements(reads.map(({ text, values }) => ({ text, parameters: values.length })));
    this.#joined.set(key, text);
    return { text, values: reads.flatMap(({ values }) => values), reads };
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#lastNumber += 1;
    this.#numbers.set(text, this.#lastNumber);
    return this.#lastNumber;
  }

  /** Runs statements of the same text, and settles all of their reads. Never throws. */
  async #send(statements: readonly RowStatement[]): Promise<void> {
    const repeated = statements.length > 1 ? this.#repeat(statements) : undefined;
    if (statements.length > 1 && !repeated) {
      for (const statement of statements) void this.#send([statement]);
      return;
    }
    const [{ text, values } = { text: '', values: [] }] = statements;
    try {
      if (repeated) {
        const rows = await this.#run(repeated.text, repeated.values);
        for (const [position, ...row] of rows) settle(statements[Number(position) - 1], row);
      } else settle(statements[0], (await this.#run(text, values))[0] ?? []);
    } catch (error) {
      this.#afterFailure(
        statements.flatMap(({ reads }) => reads),
        error,
      );
    }
  }

  #repeat(statements: readonly RowStatement[]): Pick<RowStatement, 'text' | 'values'> | undefined {
    const [{ text, values } = { text: '', values: [] }] = statements;
    const types = typesOf(values)?.join();
    if (!types || statements.some((other) => typesOf(other.values)?.join() !== types)) return undefined;
    const key = `${types} ${text}`;
    const repeated = this.#repeated.get(key) ?? repeatStatement(text, values) ?? '';
    this.#repeated.set(key, repeated);
    return { text: repeated, values: values.map((_, index) => statements.map((one) => one.values[index])) };
  }

  #afterFailure(reads: readonly WaitingRead[], error: unknown): void {
    const isFinal = reads.length === 1 || error instanceof ConnectionLost || error instanceof AppError;
    for (const { text, values, resolve, reject } of reads) {
      if (isFinal) reject(error);
      else resolve(this.#runApart(text, values));
    }
  }

  /** Runs a read of a combined statement that has failed, and notes whether it is to blame. */
  async #runApart(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    const started = performance.now();
    let isToBlame = false;
    try {
      return await this.#run(text, values);
    } catch (error) {
      isToBlame = !sqlState(error)?.startsWith(DATA_EXCEPTION);
      throw error;
    } finally {
      if (isToBlame || performance.now() - started > LONGEST_MS) this.#apart.set(text, true);
    }
  }

  async #run(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    const { rows }: QueryResult<unknown[]> = await this.#reads.query({ text, values, rowMode: 'array' });
    return rows;
  }
}

/** Gives each read of a statement its part of the row. */
function settle(statement: RowStatement | undefined, row: readonly unknown[]): void {
  let start = 0;
  for (const { columns, resolve } of statement?.reads ?? []) {
    resolve([row.slice(start, start + columns)]);
    start += columns;
  }
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function chunksOf<Value>(values: readonly Value[], size: number): (readonly Value[])[] {
  if (values.length <= size) return [values];
  const chunks: (readonly Value[])[] = [];
  for (let start = 0; start < values.length; start += size) chunks.push(values.slice(start, start + size));
  return chunks;
}
