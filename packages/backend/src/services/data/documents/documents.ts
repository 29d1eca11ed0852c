import type { Scraped } from '@fabrica/contract';
import type { DocumentKind } from './document-kind.ts';

/** Bytes that somebody named or sent, and what is said of them. */
export interface Document {
  bytes: Uint8Array;
  /** As it was declared; what it is, its bytes say. */
  contentType: string | undefined;
  /** Where it was fetched from; undefined for a file that was sent. */
  url: string | undefined;
}

export type ScrapeFormat = keyof Scraped;

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
