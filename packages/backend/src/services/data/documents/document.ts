import type { Scraped } from '@fabrica/contract';

/** What a document is, by its first bytes; what it is declared as only parts texts from each other. */
export type DocumentKind = 'html' | 'pdf' | 'docx' | 'text';

/** Bytes that somebody named or sent, and what is said of them. */
export interface Document {
  bytes: Uint8Array;
  /** As it was declared; what it is, its bytes say. */
  contentType: string | undefined;
  /** Where it was fetched from; undefined for a file that was sent. */
  url: string | undefined;
}

export type ScrapeFormat = keyof Scraped;

/** What is sent to a thread. */
export interface DocumentTask {
  kind: DocumentKind;
  bytes: Uint8Array;
  contentType: string | undefined;
  /** The text in parts of so many characters. */
  chunkSize?: number;
  /** What a page says instead of its text. */
  scrape?: { url: string; formats: readonly ScrapeFormat[] };
}

/** What is wrong with a document, as a sentence for whoever sent it. */
export class UnreadableDocument extends Error {
  override name = 'UnreadableDocument';
}
