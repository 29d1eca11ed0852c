import type { Scraped } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import { WorkerPool } from '../../../runtime/workers/worker-pool.ts';
import type { Document, DocumentTask, ScrapeFormat } from './document.ts';
import { documentKind } from './document-kind.ts';

/** Seconds after which a caller that found too many waiting may try again. */
const RETRY_AFTER = 5;
const MEBIBYTE = 1024 * 1024;

interface DocumentLimits {
  /** Milliseconds of processor time for one document. */
  processorMs: number;
  /** Milliseconds without a document after which a thread ends. */
  idleMs: number;
}

/** Reads documents, each in a thread that is ended when it takes too much time or memory. */
export interface Documents {
  /**
   * Returns the text of HTML, PDF, DOCX or plain text, with empty lines between paragraphs. Throws
   * UNSUPPORTED_MEDIA_TYPE for anything else, DOCUMENT_UNREADABLE for a document that is broken or takes too much,
   * RATE_LIMITED when too many wait, or the signal’s reason.
   */
  extract(document: Document, signal: AbortSignal): Promise<string>;
  /** Returns the same in parts of at most `size` characters, as `chunkText` splits them. */
  extractChunks(document: Document, size: number, signal: AbortSignal): Promise<string[]>;
  /** Returns an HTML page in these formats. Throws as `extract` does. */
  scrape(document: Document, formats: readonly ScrapeFormat[], signal: AbortSignal): Promise<Scraped>;
  close(): Promise<void>;
}

/** Creates a reader of documents that works in threads. */
export function createDocuments(limits: Partial<DocumentLimits> = {}): Documents {
  const pool = new WorkerPool<DocumentTask>({
    script: new URL('document-worker.ts', import.meta.url),
    name: 'documents',
    threads: 2,
    // Each holds its bytes.
    maxWaiting: 20,
    processorMs: 15_000,
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
  const kind = documentKind(bytes, contentType);
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

function unsupported(message: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', message);
}
