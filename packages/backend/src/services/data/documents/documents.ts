import type { Scraped } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import type { Document, DocumentTask, ScrapeFormat } from './document.ts';
import { documentKind } from './document-kind.ts';
import { createDocumentThreads, type ThreadLimits } from './document-threads.ts';

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
export function createDocuments(limits: Partial<ThreadLimits> = {}): Documents {
  const threads = createDocumentThreads<DocumentTask>(new URL('document-worker.ts', import.meta.url), limits);
  return {
    async extract(document, signal) {
      return (await threads.carryOut(taskOf(document), signal)) as string;
    },
    async extractChunks(document, chunkSize, signal) {
      return (await threads.carryOut({ ...taskOf(document), chunkSize }, signal)) as string[];
    },
    async scrape(document, formats, signal) {
      const task = taskOf(document);
      if (task.kind !== 'html') throw unsupported('This is no page of HTML.');
      const scrape = { url: document.url ?? 'about:blank', formats };
      return (await threads.carryOut({ ...task, scrape }, signal)) as Scraped;
    },
    close: () => threads.close(),
  };
}

function taskOf({ bytes, contentType }: Document): DocumentTask {
  const kind = documentKind(bytes, contentType);
  if (!kind) throw unsupported('Texts are read from HTML, PDF, Word (DOCX) and plain text.');
  return { kind, bytes, contentType };
}

function unsupported(message: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', message);
}
