import { LRUCache } from 'lru-cache';
import type { QueryResult } from 'pg';
import { AppError } from '../../../core/errors.ts';
import type { ReadOptions } from '../../port.ts';
import { chunks } from '../../write/write-transaction.ts';
import { joinStatements, repeatStatement, typesOf } from './combine-statements.ts';
import { ConnectionLost, sqlState } from './postgres-error.ts';
import type { Reads } from './reads.ts';

/** One statement joins up to 8 reads of a page, or repeats a statement up to 16 times. */
const MAX_JOINED = 8;
const MAX_REPEATED = 16;
/** A read with more values is not combined: a statement has 65,535 parameters at most. */
const MAX_VALUES = 1_000;
/**
 * The texts of combined statements take half of the names of prepared statements at most. A name is not given up for another one.
 * Clients' requests decide which statements are repeated, and cannot use up the names for those that join the reads of pages.
 */
const MAX_JOINED_TEXTS = 50;
const MAX_REPEATED_TEXTS = 50;
/**
 * Milliseconds for which a combined statement that has failed is not sent again, and a read that has failed by itself is not combined.
 * Up to 1,000 such statements are remembered.
 */
const APART_MS = 5 * 60_000;
const MAX_APART = 1_000;
/** Classes of SQLSTATE: a value is not valid; the server has no memory or no space on its disk left. */
const DATA_EXCEPTION = '22';
const INSUFFICIENT_RESOURCES = '53';

interface WaitingRead {
  text: string;
  values: readonly unknown[];
  columns: number;
  page: object | undefined;
  resolve(rows: unknown[][] | Promise<unknown[][]>): void;
  reject(error: unknown): void;
}

/** A statement that returns one row. The row has the columns of each of its reads, one read after the other. */
interface RowStatement {
  text: string;
  values: readonly unknown[];
  reads: readonly WaitingRead[];
}

/** A statement that runs several statements of the same text. Each of its rows begins with the position of one of them, from 1 on. */
interface RepeatedStatement {
  text: string;
  values: readonly unknown[];
  statements: readonly RowStatement[];
}

/**
 * Runs reads that come in the same iteration of the event loop as one statement: the reads of a page, and reads by id that differ
 * in their values alone. Sending a statement, and starting and ending it on the server, takes longer than most of these reads. Other
 * lists are sent one by one, so that several processes of the server run them at once. When a combined statement fails, each of its
 * reads is run by itself, with its own errors and timeouts.
 */
export class CombinedReads {
  readonly #reads: Pick<Reads, 'query'>;
  #waiting: WaitingRead[] = [];
  #flushing: NodeJS.Immediate | undefined;
  /** The texts of combined statements, by what they are made of. */
  readonly #joined = new CombinedTexts(MAX_JOINED_TEXTS);
  readonly #repeated = new CombinedTexts(MAX_REPEATED_TEXTS);
  readonly #apart = new LRUCache<string, true>({ max: MAX_APART, ttl: APART_MS });

  constructor(reads: Pick<Reads, 'query'>) {
    this.#reads = reads;
  }

  /** Returns the rows of a statement as arrays. Throws what `Reads` throws. */
  values(text: string, values: readonly unknown[], { row, page }: ReadOptions): Promise<unknown[][]> {
    const isCombined = row && (page || row.isById) && values.length <= MAX_VALUES && !this.#apart.has(text);
    if (!isCombined) return this.#run(text, values);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, values, columns: row.columns, page, resolve, reject });
      this.#flushing ??= setImmediate(() => this.flush());
    });
  }

  /** Sends the reads of this iteration. */
  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    const statements: RowStatement[] = [];
    for (const reads of Map.groupBy(waiting, (read) => read.page ?? read).values()) {
      for (const some of chunks(reads, MAX_JOINED)) {
        const statement = this.#join(some);
        if (statement) statements.push(statement);
        else for (const read of some) read.resolve(this.#run(read.text, read.values));
      }
    }
    for (const alike of Map.groupBy(statements, ({ text }) => text).values()) {
      for (const some of chunks(alike, MAX_REPEATED)) {
        const repeated = this.#repeat(some);
        if (repeated) void this.#sendRepeated(repeated);
        else for (const statement of some) void this.#send(statement);
      }
    }
  }

  /** Returns one statement for several reads; undefined where they are to be run by themselves. */
  #join(reads: readonly WaitingRead[]): RowStatement | undefined {
    const [only] = reads;
    if (only && reads.length === 1) return { ...only, reads };
    const text = this.#textOf(this.#joined, reads.map((read) => read.text).join('; '), () =>
      joinStatements(reads.map(({ text, values }) => ({ text, parameters: values.length }))),
    );
    return text === undefined ? undefined : { text, values: reads.flatMap(({ values }) => values), reads };
  }

  /** Returns one statement for several of the same text; undefined where they are to be run by themselves. */
  #repeat(statements: readonly RowStatement[]): RepeatedStatement | undefined {
    const [first, ...others] = statements;
    const types = first && others.length > 0 ? typesOf(first.values) : undefined;
    if (!first || !types) return undefined;
    const listed = types.join();
    if (others.some(({ values }) => typesOf(values)?.join() !== listed)) return undefined;
    const text = this.#textOf(this.#repeated, `${listed} ${first.text}`, () =>
      repeatStatement(first.text, types),
    );
    if (text === undefined) return undefined;
    const values = types.map((_, index) => statements.map((one) => one.values[index]));
    return { text, values, statements };
  }

  /** Returns the text of a combined statement; undefined when it has failed recently, or when there are too many texts. */
  #textOf(texts: CombinedTexts, key: string, combine: () => string): string | undefined {
    const text = texts.textOf(key, combine);
    return text === undefined || this.#apart.has(text) ? undefined : text;
  }

  /** Runs a statement, and settles its reads. Never throws. */
  async #send({ text, values, reads }: RowStatement): Promise<void> {
    const [only] = reads;
    if (only && reads.length === 1) {
      only.resolve(this.#run(text, values));
      return;
    }
    try {
      const [row, ...others] = await this.#run(text, values);
      if (!row || others.length > 0) throw new WrongRows();
      settle(reads, row);
    } catch (error) {
      this.#afterFailure(text, reads, error);
    }
  }

  /** Runs a repeated statement, and settles the reads of all of its statements. Never throws. */
  async #sendRepeated({ text, values, statements }: RepeatedStatement): Promise<void> {
    try {
      const found = await this.#run(text, values);
      const rows = new Map(found.map(([position, ...row]) => [Number(position) - 1, row]));
      if (found.length !== statements.length || rows.size !== statements.length) throw new WrongRows();
      for (const [index, row] of rows) settle(statements[index]?.reads ?? [], row);
    } catch (error) {
      const reads = statements.flatMap((statement) => statement.reads);
      this.#afterFailure(text, reads, error);
    }
  }

  #afterFailure(text: string, reads: readonly WaitingRead[], error: unknown): void {
    const isFinal = error instanceof ConnectionLost || error instanceof AppError;
    if (!isFinal && !isOfClass(error, DATA_EXCEPTION)) this.#apart.set(text, true);
    for (const read of reads) {
      if (isFinal) read.reject(error);
      else read.resolve(this.#runApart(read));
    }
  }

  /** Runs a read of a combined statement that has failed. When it fails by itself as well, it is not combined for a time. */
  async #runApart({ text, values }: WaitingRead): Promise<unknown[][]> {
    try {
      return await this.#run(text, values);
    } catch (error) {
      if (isOfStatement(error)) this.#apart.set(text, true);
      throw error;
    }
  }

  async #run(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    const { rows }: QueryResult<unknown[]> = await this.#reads.query({ text, values, rowMode: 'array' });
    return rows;
  }
}

/** Holds a limited number of texts for good. */
class CombinedTexts {
  readonly #texts = new Map<string, string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  textOf(key: string, combine: () => string): string | undefined {
    const known = this.#texts.get(key);
    if (known !== undefined || this.#texts.size >= this.#limit) return known;
    const text = combine();
    this.#texts.set(key, text);
    return text;
  }
}

/** Is thrown when a combined statement has not returned one row for each of its statements. */
class WrongRows extends Error {}

/**
 * Tells whether a statement is likely to fail again, such as after a timeout. It is not when a value is to blame, or the server: it has
 * no room, or the connection has ended, which is a ConnectionLost and has no SQLSTATE.
 */
function isOfStatement(error: unknown): boolean {
  const isOfServer = sqlState(error) === undefined || isOfClass(error, INSUFFICIENT_RESOURCES);
  return !isOfServer && !isOfClass(error, DATA_EXCEPTION);
}

function isOfClass(error: unknown, sqlStateClass: string): boolean {
  return sqlState(error)?.startsWith(sqlStateClass) ?? false;
}

/** Gives each read its part of the row of their statement. */
function settle(reads: readonly WaitingRead[], row: readonly unknown[]): void {
  let start = 0;
  for (const { columns, resolve } of reads) {
    resolve([row.slice(start, start + columns)]);
    start += columns;
  }
}
