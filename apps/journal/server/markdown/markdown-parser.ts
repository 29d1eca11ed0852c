import { hash } from 'node:crypto';
import { AppError, LRUCache, WorkerPool } from '@fabrica/backend';
import type { Root } from 'mdast';
import type { ParseMarkdown } from '../../app/markdown/parse-tree.ts';
import type { MarkdownReply, MarkdownTask } from './markdown-worker.ts';

/**
 * Milliseconds of processor time for a text, at the first and at the second try. An article of 100,000 characters with tables
 * and notes takes 140 to 220, in a thread that has just started too.
 */
const DEADLINES_MS = [350, 500];
/** So many milliseconds before, a thread gives up by itself and need not be ended, where the parser asks for the time. */
const GRACE_MS = 20;
/** Characters of JSON of the trees that are cached. */
const MAX_CACHED = 24_000_000;
const MAX_REFUSED = 10_000;
const MEBIBYTE = 1024 * 1024;

/** Parses Markdown in threads of its own, so that no text holds the thread that serves everybody. */
export interface MarkdownParser {
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
    processorMs: Math.max(...DEADLINES_MS),
    idleMs: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 },
    maxExternalBytes: 32 * MEBIBYTE,
    fullError: () => new AppError('RATE_LIMITED', 'Too many texts are being read. Please try again soon.'),
    limitError: () => new AppError('PAYLOAD_TOO_LARGE', 'This text takes too much to be read.'),
  });
  const trees = new LRUCache<string, Root>({ maxSize: MAX_CACHED });
  const refused = new LRUCache<string, true>({ max: MAX_REFUSED });
  const pending = new Map<string, Promise<Root | null>>();
  const { signal } = new AbortController();

  async function attempt(text: string, processorMs: number): Promise<MarkdownReply> {
    try {
      return await pool.run<MarkdownReply>({ text, deadlineMs: processorMs - GRACE_MS }, signal, processorMs);
    } catch (error) {
      if (error instanceof AppError && error.code === 'PAYLOAD_TOO_LARGE') return { fault: 'time' };
      throw error;
    }
  }

  async function read(key: string, text: string): Promise<Root | null> {
    for (const processorMs of DEADLINES_MS) {
      const reply = await attempt(text, processorMs);
      if ('tree' in reply) {
        const tree: Root = JSON.parse(reply.tree);
        trees.set(key, tree, { size: reply.tree.length });
        return tree;
      }
      if (reply.fault === 'structure') break;
    }
    refused.set(key, true);
    return null;
  }

  return {
    async parse(text) {
      const key = hash('sha256', text, 'base64');
      const tree = trees.get(key);
      if (tree) return tree;
      if (refused.has(key)) return null;
      const reading = pending.get(key) ?? read(key, text).finally(() => pending.delete(key));
      pending.set(key, reading);
      return reading;
    },
    close: () => pool.close(new Error('Texts are no longer read.')),
  };
}
