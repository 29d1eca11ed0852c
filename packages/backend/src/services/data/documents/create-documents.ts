import type { Scraped } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import { createDocumentThreads, type ThreadLimits } from './document-threads.ts';
import type { Document, Documents, DocumentTask } from './documents.ts';
import { kindOf } from './document-kind.ts';

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
