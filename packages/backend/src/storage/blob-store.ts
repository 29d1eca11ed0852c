/** Where the bytes of files lie. Names, owners and types are the `files` table's business. */
export interface BlobStore {
  /**
   * Takes bytes in as they come, without holding them in memory, hashing and counting on the way. Nothing is
   * left behind when `source` throws or the disk refuses (that error is thrown on).
   */
  receive(source: AsyncIterable<Uint8Array>): Promise<IncomingBlob>;
  /** The bytes, or those of `range`; null when there is no such blob. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  /** No error when there is none. */
  remove(key: string): Promise<void>;
}

/** Bytes that have arrived in full and durably, but belong to no one yet: end it with `keep` or `discard`. */
export interface IncomingBlob {
  /** Bytes. */
  size: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  /** A file of this machine, to look at before deciding. */
  localPath: string;
  /** From now on it can be read under `key`. */
  keep(key: string): Promise<void>;
  discard(): Promise<void>;
}

/** Both ends belong to it; counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}
