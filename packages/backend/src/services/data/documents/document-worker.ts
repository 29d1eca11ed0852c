import { parentPort } from 'node:worker_threads';
import { chunkText } from './chunk-text.ts';
import { decodeText } from './decode-text.ts';
import type { DocumentTask } from './document.ts';
import { UnreadableDocument } from './document.ts';
import type { Outcome } from './document-threads.ts';

/**
 * Runs in the threads of `document-threads.ts`, one document at a time. The reader of each kind is loaded with its first
 * document.
 */
parentPort?.on('message', async (task: DocumentTask) => {
  parentPort?.postMessage(await outcomeOf(task));
});

async function outcomeOf(task: DocumentTask): Promise<Outcome> {
  try {
    return { result: await carryOut(task) };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { fault, sentence: error instanceof UnreadableDocument ? fault : undefined };
  }
}

async function carryOut(task: DocumentTask): Promise<unknown> {
  if (task.scrape) {
    const { scrapeHtml } = await import('./html/read-html.ts');
    return scrapeHtml(decodeText(task.bytes, task.contentType), task.scrape.url, task.scrape.formats);
  }
  const text = normalizeText(await textOf(task));
  return task.chunkSize === undefined ? text : chunkText(text, task.chunkSize);
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
