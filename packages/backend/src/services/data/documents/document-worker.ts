import { AppError } from '../../../core/errors.ts';
import { serveTasks } from '../../../runtime/workers/serve-tasks.ts';
import { chunkText } from './chunk-text.ts';
import { decodeText } from './decode-text.ts';
import { type DocumentTask, UnreadableDocument } from './document.ts';
import { showStruckWords } from './struck-words.ts';

/**
 * Runs in the threads of `documents.ts`, one document at a time. The reader of each kind is loaded with its first
 * document.
 */
const server = serveTasks<DocumentTask>(async (id, task) => {
  try {
    server.reply(id, await carryOut(task));
  } catch (error) {
    server.fail(id, error);
  }
  server.flush();
}, unreadable);

function unreadable(error: unknown): AppError {
  const message =
    error instanceof UnreadableDocument
      ? error.message
      : 'This document cannot be read: it seems to be broken.';
  return new AppError('DOCUMENT_UNREADABLE', message);
}

async function carryOut(task: DocumentTask): Promise<unknown> {
  if (task.scrape) {
    const { scrapeHtml } = await import('./html/read-html.ts');
    return scrapeHtml(decodeText(task.bytes, task.contentType), task.scrape.url, task.scrape.formats);
  }
  const text = normalizeText(await textOf(task));
  if (task.chunkSize === undefined) return showStruckWords([text])[0];
  return showStruckWords(chunkText(text, task.chunkSize));
}

async function textOf({ kind, bytes, contentType }: DocumentTask): Promise<string> {
  switch (kind) {
    case 'pdf':
      return (await import('./read-pdf.ts')).readPdf(bytes);
    case 'docx':
      return (await import('./read-docx.ts')).readDocx(bytes);
    case 'html':
      return (await import('./html/read-html.ts')).readHtml(decodeText(bytes, contentType));
    case 'text':
      return decodeText(bytes, contentType);
  }
}

/** Normalizes line ends, and removes control characters and more than one empty line. */
function normalizeText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, '')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}
