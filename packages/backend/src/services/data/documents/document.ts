import type { Scraped } from '@fabrica/contract';

/** The kind of a document, as its first bytes show. */
export type DocumentKind = 'html' | 'pdf' | 'docx' | 'text';

/** A document that a caller names or sends. */
export interface Document {
  bytes: Uint8Array;
  /** Content type as it was declared. */
  contentType: string | undefined;
  /** URL that it was fetched from; `undefined` for a file that was sent. */
  url: string | undefined;
}

export type ScrapeFormat = keyof Scraped;

/** A task for a thread. */
export interface DocumentTask {
  kind: DocumentKind;
  bytes: Uint8Array;
  contentType: string | undefined;
  /** Characters of each part, when the text is split. */
  chunkSize?: number;
  /** The formats of a page that are returned instead of its text. */
  scrape?: { url: string; formats: readonly ScrapeFormat[] };
}

/** Tells of a document that cannot be read. Its message is shown to the caller. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument';
}
