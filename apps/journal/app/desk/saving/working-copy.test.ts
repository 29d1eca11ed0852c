import { NetworkError } from '@fabrica/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CurrentCopy, VersionedDocument } from '../desk-client.ts';
import { WorkingCopy } from './working-copy.ts';

interface Words {
  title: string;
  text: string;
}

class Stale extends Error {
  readonly current: CurrentCopy<Words>;
  constructor(current: CurrentCopy<Words>) {
    super('stale');
    this.current = current;
  }
}

const isSame = (one: Words, other: Words) => one.title === other.title && one.text === other.text;

/** Returns numbers from 0 to below 1, the same ones for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** A server at the other end of a wire that delays and loses what it carries. */
class Server {
  version = 1;
  readonly written: Words[] = [{ title: 'Heart', text: 'Old.' }];
  readonly #random: () => number;
  isReliable = false;

  constructor(random: () => number) {
    this.#random = random;
  }

  get document(): Words {
    return this.written.at(-1) as Words;
  }

  current(): CurrentCopy<Words> {
    return { version: this.version, document: this.document, updatedBy: null, updatedAt: 0 };
  }

  write(version: number, document: Words): CurrentCopy<Words> {
    if (version !== this.version) throw new Stale(this.current());
    if (!isSame(document, this.document)) {
      this.version += 1;
      this.written.push(document);
    }
    return this.current();
  }

  /** Carries a request there and its response back, each of which takes up to three seconds or is lost. */
  async carry<Response>(request: () => Response): Promise<Response> {
    await this.#travel();
    const response = request();
    await this.#travel();
    return response;
  }

  async #travel(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#random() * 3_000));
    if (!this.isReliable && this.#random() < 0.1) throw new NetworkError({});
  }
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test.each(Array.from({ length: 200 }, (_, seed) => seed))(
  'no words are lost in whatever order saves, actions and other people write (%i)',
  async (seed) => {
    const random = seeded(seed);
    const server = new Server(random);
    const copy = new WorkingCopy<Words>({
      authorId: 'ada',
      id: 'post',
      loaded: server.current(),
      save: async ({ version, document }: VersionedDocument<Words>) => {
        const saved = await server.carry(() => server.write(version, document));
        return { version: saved.version, savedAt: 0 };
      },
      isSame,
      currentOf: (error) => (error instanceof Stale ? error.current : undefined),
    });
    let isActing = false;
    let last: Words = server.document;
    let step = 0;
    const act = async () => {
      if (isActing) return;
      isActing = true;
      try {
        await copy.act(async (version) => {
          await server.carry(() => server.write(version, { title: 'Heart', text: 'Old.' }));
          copy.adopt(await server.carry(() => server.current()));
        });
      } catch (error) {
        if (error instanceof Stale) copy.note(error.current);
        else if (!(error instanceof NetworkError)) throw error;
      } finally {
        isActing = false;
      }
    };
    const steps = [
      () => copy.change({ title: `Title ${step}` }),
      () => copy.change({ text: `Text ${step}` }),
      () => void copy.flush(),
      () => void act(),
      () => void act(),
      () => server.write(server.version, { ...server.document, text: `Hers ${step}` }),
      () => {
        const { status, document } = copy.getState();
        if (status.name !== 'stale') return;
        void copy.resolve(document, status.theirs);
      },
    ];
    for (; step < 40; step += 1) {
      const before = copy.getState().document;
      steps[Math.floor(random() * steps.length)]?.();
      // What this page says last is what its author has last written, or has taken over from the server.
      if (copy.getState().document !== before) last = copy.getState().document;
      await vi.advanceTimersByTimeAsync(random() * 2_500);
      const { document } = copy.getState();
      const isKept = isSame(document, last) || server.written.some((written) => isSame(written, last));
      expect(isKept, `what was written last is on the page or on the server: ${JSON.stringify(last)}`).toBe(
        true,
      );
      // A document of the page is its author's, or one that the server has had whole: nothing is mixed or invented.
      if (!isSame(document, last))
        expect(server.written.some((written) => isSame(written, document))).toBe(true);
    }
    server.isReliable = true;
    for (let round = 0; round < 5; round += 1) {
      const { status, document } = copy.getState();
      if (status.name === 'stale') void copy.resolve(document, status.theirs);
      await vi.advanceTimersByTimeAsync(30_000);
    }
    const { document, status } = copy.getState();
    expect(status.name).toBe('saved');
    expect(server.written.some((written) => isSame(written, document))).toBe(true);
  },
);
