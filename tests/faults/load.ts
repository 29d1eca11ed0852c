import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Author, buildPost, signUp } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import {
  type Acknowledged,
  type Attempt,
  type Counts,
  countAttempts,
  missedBy,
  receivedTwice,
} from './ledger.ts';
import { Listener } from './listener.ts';

const AUTHORS = 4;
const READERS = 4;
const LISTENERS = 6;
/** Milliseconds between two actions of one client. */
const PAUSE_MS = 100;
/** Milliseconds after which a client gives up waiting. */
const LONGEST_MS = 30_000;
/** Milliseconds in which everything must have arrived after the load. */
const SETTLE_MS = 60_000;
const POLL_MS = 100;
/** Characters of a failed response that are kept. */
const LONGEST_REASON = 200;

export interface Outcome {
  writes: Counts;
  reads: Counts;
  pages: Counts;
  files: Counts;
  /** Writes that were acknowledged and are not there. */
  lostWrites: number;
  /** Files that were acknowledged and are not there, or are different. */
  lostFiles: number;
  /** Messages of acknowledged writes that a listener neither got nor replaced by a resync; over all listeners. */
  lostMessages: number;
  doubledMessages: number;
  /** Milliseconds after `stop` until every listener knew of every write. */
  settledAfter: number;
}

export interface LoadOptions {
  /** Returns the address for the next request of a client: the proxy's, or that of a node. */
  urlOf(attempt: number): string;
  /** Whether files are uploaded and read. */
  withFiles: boolean;
  /** The number of clients that write at once; by default one for each account. */
  writers?: number;
  pauseMs?: number;
}

/** Clients that write, read and listen until they are stopped, and remember what they were told. */
export class Load {
  readonly writes: Attempt[] = [];
  readonly #acknowledged: Acknowledged[] = [];
  readonly #reads: Attempt[] = [];
  readonly #pages: Attempt[] = [];
  readonly #files: Attempt[] = [];
  readonly #saved = new Map<string, string>();
  readonly #options: LoadOptions;
  readonly #authors: readonly Author[];
  readonly #post: string;
  readonly #listeners: readonly Listener[];
  #running: Promise<unknown> = Promise.resolve();
  #isOver = false;

  private constructor(options: LoadOptions, authors: readonly Author[], post: string) {
    this.#options = options;
    this.#authors = authors;
    this.#post = post;
    this.#listeners = Array.from({ length: LISTENERS }, (_, at) => {
      let attempt = at;
      return new Listener(() => options.urlOf(attempt++), `post:${post}`);
    });
  }

  /** Signs accounts up, publishes a post, and begins once everybody listens. */
  static async start(options: LoadOptions): Promise<Load> {
    const url = options.urlOf(0);
    const server = { url } as RunningServer;
    const authors: Author[] = [];
    for (let at = 0; at < AUTHORS; at += 1) authors.push(await signUp(server));
    const [author] = authors;
    if (!author) throw new Error('There is no author.');
    const post = buildPost(author, { id: `post_${randomUUID()}` });
    const published = await author.rest('POST', 'journal_posts', post);
    if (published.status !== 201) throw new Error(`The post was not published: ${published.status}`);
    const load = new Load(options, authors, String(post.id));
    for (const listener of load.#listeners) listener.connect();
    await until(() => load.#listeners.every(({ isSubscribed }) => isSubscribed), SETTLE_MS);
    load.#running = load.#run();
    return load;
  }

  /** Resolves once this many writes that began from now on have succeeded. */
  async writesOnAgain(count = 5): Promise<void> {
    const from = Date.now();
    const done = () =>
      this.writes.filter(({ began, status }) => began >= from && status === 201).length >= count;
    if (!(await until(done, SETTLE_MS))) throw new Error('Nobody can write a minute after the fault.');
  }

  /** The ids of the writes that were acknowledged so far. */
  get acknowledgedIds(): string[] {
    return this.#acknowledged.map(({ id }) => id);
  }

  /** Returns how many milliseconds passed from a moment (epoch ms) until the first write that began later and succeeded. */
  backAfter(from: number): number {
    const ends = this.writes.filter(({ began, status }) => began >= from && status === 201);
    return Math.min(...ends.map(({ ended }) => ended)) - from;
  }

  /** Returns what was wrong with requests that failed, and how often. */
  failures(): string[] {
    const times = Map.groupBy(
      [...this.writes, ...this.#reads, ...this.#pages].filter(({ status }) => status < 200 || status >= 300),
      ({ status, reason }) => `${status} ${reason}`,
    );
    return [...times].map(([what, attempts]) => `${attempts.length} × ${what}`);
  }

  /** Ends the clients, and compares what they were told with what is there. */
  async stop(): Promise<Outcome> {
    this.#isOver = true;
    await this.#running;
    const stopped = Date.now();
    const missed = () =>
      this.#listeners.reduce((sum, log) => sum + missedBy(log, this.#acknowledged).length, 0);
    await until(() => missed() === 0, SETTLE_MS);
    const settledAfter = Date.now() - stopped;
    for (const listener of this.#listeners) listener.close();
    const there = await this.#readComments();
    return {
      writes: countAttempts(this.writes),
      reads: countAttempts(this.#reads),
      pages: countAttempts(this.#pages),
      files: countAttempts(this.#files),
      lostWrites: this.#acknowledged.filter(({ id }) => !there.has(id)).length,
      lostFiles: await this.#countLostFiles(),
      lostMessages: missed(),
      doubledMessages: this.#listeners.reduce((sum, log) => sum + receivedTwice(log), 0),
      settledAfter,
    };
  }

  #run(): Promise<unknown> {
    const { withFiles, writers = AUTHORS } = this.#options;
    return Promise.all([
      ...Array.from({ length: writers }, (_, writer) => {
        const author = this.#authors[writer % AUTHORS];
        return author && this.#repeat((at) => this.#write(author, at));
      }),
      ...Array.from({ length: READERS }, (_, reader) =>
        this.#repeat((at) => (reader % 2 === 0 ? this.#readList(at) : this.#readPage(at))),
      ),
      ...(withFiles ? [this.#repeat((at) => this.#upload(at))] : []),
    ]);
  }

  async #repeat(act: (attempt: number) => Promise<void>): Promise<void> {
    for (let attempt = 0; !this.#isOver; attempt += 1) {
      await act(attempt);
      await wait(this.#options.pauseMs ?? PAUSE_MS);
    }
  }

  async #write(author: Author, at: number): Promise<void> {
    const id = randomUUID();
    const row = {
      id,
      post_id: this.#post,
      user_id: author.id,
      user_name: 'Ada Byron',
      content: `Note ${at}`,
    };
    const { attempt } = await this.#send(`${this.#options.urlOf(at)}/api/db/journal/rest/v1/post_comments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${author.token}` },
      body: JSON.stringify(row),
    });
    this.writes.push(attempt);
    if (attempt.status === 201) this.#acknowledged.push({ id, ...attempt });
  }

  async #readList(at: number): Promise<void> {
    const query = `journal_posts?select=id,title&order=created_at.desc&limit=24&offset=${at % 7}`;
    const { attempt } = await this.#send(`${this.#options.urlOf(at)}/api/db/journal/rest/v1/${query}`);
    this.#reads.push(attempt);
  }

  async #readPage(at: number): Promise<void> {
    const { attempt } = await this.#send(`${this.#options.urlOf(at)}/post/${this.#post}`);
    this.#pages.push(attempt);
  }

  async #upload(at: number): Promise<void> {
    const [author] = this.#authors;
    const text = randomUUID();
    const form = new FormData();
    form.set('path', `faults/${text}.txt`);
    form.set('file', new File([text], 'file.txt', { type: 'text/plain' }));
    const { attempt, body } = await this.#send(`${this.#options.urlOf(at)}/api/storage/journal/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author?.token}` },
      body: form,
    });
    this.#files.push(attempt);
    if (attempt.status !== 200 && attempt.status !== 201) return;
    const { publicUrl } = JSON.parse(body) as { publicUrl: string };
    const { pathname, search } = new URL(publicUrl, this.#options.urlOf(at));
    this.#saved.set(`${pathname}${search}`, text);
  }

  async #send(url: string, init: RequestInit = {}): Promise<{ attempt: Attempt; body: string }> {
    const began = Date.now();
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(LONGEST_MS) });
      const body = await response.text();
      const reason = response.ok ? undefined : body.slice(0, LONGEST_REASON).replaceAll(/\s+/g, ' ');
      return { attempt: { began, ended: Date.now(), status: response.status, reason }, body };
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
      return { attempt: { began, ended: Date.now(), status: 0, reason }, body: '' };
    }
  }

  async #readComments(): Promise<Set<string>> {
    const ids = new Set<string>();
    const [author] = this.#authors;
    for (let last = ''; ; ) {
      const query = `post_comments?select=id&post_id=eq.${this.#post}&id=gt.${last}&order=id&limit=100`;
      const response = await fetch(`${this.#options.urlOf(0)}/api/db/journal/rest/v1/${query}`, {
        headers: { authorization: `Bearer ${author?.token}` },
      });
      const rows = (await response.json()) as { id: string }[];
      if (!response.ok) throw new Error(`The comments could not be read: ${JSON.stringify(rows)}`);
      for (const { id } of rows) ids.add(id);
      last = rows.at(-1)?.id ?? '';
      if (rows.length < 100) return ids;
    }
  }

  async #countLostFiles(): Promise<number> {
    let lost = 0;
    for (const [path, text] of this.#saved) {
      const response = await fetch(`${this.#options.urlOf(0)}${path}`);
      if ((await response.text()) !== text) lost += 1;
    }
    return lost;
  }
}

/** Waits until the condition holds; returns whether it does. */
export async function until(holds: () => boolean, longestMs: number): Promise<boolean> {
  for (const deadline = Date.now() + longestMs; Date.now() < deadline; await wait(POLL_MS)) {
    if (holds()) return true;
  }
  return holds();
}
