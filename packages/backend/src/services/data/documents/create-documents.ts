import type { Scraped } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import { WorkerPool } from '../../../runtime/worker-pool.ts';
import type { Document, Documents, DocumentTask } from './documents.ts';
import { kindOf } from './kind-of.ts';

/** Seconds after which a caller that found too many waiting may try again. */
const RETRY_AFTER = 5;
const MEBIBYTE = 1024 * 1024;

/** Milliseconds. */
export interface DocumentLimits {
  /** For one document. */
  timeoutMs: number;
  /** Without a document, after which a thread ends. */
  idleMs: number;
}

/** Reads documents in threads, each of which is ended with its document when that takes too much. */
export function createDocuments(limits: Partial<DocumentLimits> = {}): Documents {
  const pool = new WorkerPool<DocumentTask>({
    script: new URL('document-worker.ts', import.meta.url),
    name: 'documents',
    threads: 2,
    // Each holds its bytes.
    maxWaiting: 20,
    timeoutMs: 15_000,
    idleMs: 30_000,
    ...limits,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 },
    maxExternalBytes: 128 * MEBIBYTE,
    fullError: tooManyDocuments,
    limitError: tooMuch,
  });
  return {
    async extract(document, signal) {
      return pool.run<string>(taskOf(document), signal);
    },
    async extractChunks(document, chunkSize, signal) {
      return pool.run<string[]>({ ...taskOf(document), chunkSize }, signal);
    },
    async scrape(document, formats, signal) {
      const task = taskOf(document);
      if (task.kind !== 'html') throw unsupported('This is no page of HTML.');
      const scrape = { url: document.url ?? 'about:blank', formats };
      return pool.run<Scraped>({ ...task, scrape }, signal);
    },
    close: () => pool.close(new Error('Documents are no longer read.')),
  };
}

function taskOf({ bytes, contentType }: Document): DocumentTask {
  const kind = kindOf(bytes, contentType);
  if (!kind) throw unsupported('Texts are read from HTML, PDF, Word (DOCX) and plain text.');
  return { kind, bytes, contentType };
}

function tooManyDocuments(): AppError {
  return new AppError('RATE_LIMITED', 'Too many documents are being read. Please try again soon.', {
    retryAfter: RETRY_AFTER,
  });
}

function tooMuch(): AppError {
  return new AppError('DOCUMENT_UNREADABLE', 'This document takes too much time or memory to read.');
}

function unsupported(sentence: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', sentence);
}
