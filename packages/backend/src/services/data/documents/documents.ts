import type { Scraped } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import type { Document, DocumentTask, ScrapeFormat } from './document.ts';
import { kindOf } from './document-kind.ts';
import { createDocumentThreads, type ThreadLimits } from './document-threads.ts';

/** Reads documents, each in a thread of its own that is ended when it takes too much time or memory. */
export interface Documents {
  /**
   * The text of HTML, PDF, DOCX or plain text, paragraphs parted by empty lines. Throws UNSUPPORTED_MEDIA_TYPE for
   * anything else, DOCUMENT_UNREADABLE for what is broken or takes too much, RATE_LIMITED when too many wait,
   * the signal's reason.
   */
  extract(document: Document, signal: AbortSignal): Promise<string>;
  /** The same in parts of `size` characters at most, as `chunkText` cuts them. */
  extractChunks(document: Document, size: number, signal: AbortSignal): Promise<string[]>;
  /** What an HTML page says, in these formats. Throws as `extract` does. */
  scrape(document: Document, formats: readonly ScrapeFormat[], signal: AbortSignal): Promise<Scraped>;
  close(): Promise<void>;
}

/** Reads documents in threads, each of which is ended with its document when that takes too much. */
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
  const kind = kindOf(bytes, contentType);
  if (!kind) throw unsupported('Texts are read from HTML, PDF, Word (DOCX) and plain text.');
  return { kind, bytes, contentType };
}

function unsupported(sentence: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', sentence);
}
