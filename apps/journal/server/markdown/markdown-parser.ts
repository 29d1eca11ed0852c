import { hash } from 'node:crypto';
import { AppError, LRUCache, WorkerPool } from '@fabrica/backend';
import type { Root } from 'mdast';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import type { MarkdownReply, MarkdownTask } from './markdown-worker.ts';

/**
 * Milliseconds of processor time for a text. An article of 100,000 characters with tables and notes takes 140 to 220, in a thread
 * that has just started too.
 */
const DEADLINE_MS = 400;
/** So many milliseconds before, a thread gives up by itself and need not be ended, where the parser asks for the time. */
const GRACE_MS = 30;
/** Failures after which a text is not tried again. One alone may be by the thread, and not by the text. */
const MAX_TRIES = 2;
/** Characters of JSON of the trees that are cached. */
const MAX_CACHED = 24_000_000;
const MAX_FAILED = 10_000;
const MEBIBYTE = 1024 * 1024;

/** Parses Markdown in threads of its own, so that no text holds the thread that serves everybody. */
interface MarkdownParser {
  /**
   * Returns the tree of a text, as it is cached: it must not be changed. Returns null for a text that is too complex, which is
   * shown as plain text. Throws RATE_LIMITED when too many texts wait.
   */
  parse: ParseMarkdown;
  close(): Promise<void>;
}

export function createMarkdownParser(): MarkdownParser {
  const pool = new WorkerPool<MarkdownTask>({
    script: new URL('markdown-worker.ts', import.meta.url),
    name: 'markdown',
    threads: 2,
    maxWaiting: 500,
    processorMs: DEADLINE_MS,
    idleMs: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 48 },
    maxExternalBytes: 32 * MEBIBYTE,
    fullError: () => new AppError('RATE_LIMITED', 'Too many texts are being read. Please try again soon.'),
    limitError: () => new AppError('PAYLOAD_TOO_LARGE', 'This text takes too much to be read.'),
  });
  const trees = new LRUCache<string, Root>({ maxSize: MAX_CACHED });
  /** How often the texts were too complex that were. */
  const failures = new LRUCache<string, number>({ max: MAX_FAILED });
  const pending = new Map<string, Promise<Root | null>>();
  const { signal } = new AbortController();

  async function read(text: string): Promise<MarkdownReply> {
    try {
      return await pool.run<MarkdownReply>({ text, deadlineMs: DEADLINE_MS - GRACE_MS }, signal);
    } catch (error) {
      if (error instanceof AppError && error.code === 'PAYLOAD_TOO_LARGE') return { fault: 'time' };
      throw error;
    }
  }

  async function attempt(key: string, text: string): Promise<Root | null> {
    const reply = await read(text).finally(() => pending.delete(key));
    if ('fault' in reply) {
      failures.set(key, reply.fault === 'structure' ? MAX_TRIES : (failures.get(key) ?? 0) + 1);
      return null;
    }
    const tree: Root = JSON.parse(reply.tree);
    trees.set(key, tree, { size: reply.tree.length });
    return tree;
  }

  return {
    async parse(text, { once = false } = {}) {
      const key = hash('sha256', text, 'base64');
      for (;;) {
        const known = trees.get(key);
        if (known) return known;
        if ((failures.get(key) ?? 0) >= MAX_TRIES) return null;
        const trying = pending.get(key) ?? attempt(key, text);
        pending.set(key, trying);
        const tree = await trying;
        if (tree || once) return tree;
      }
    },
    close: () => pool.close(new Error('Texts are no longer read.')),
  };
}
