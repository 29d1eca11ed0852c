import type { Language } from '../../../project/languages.ts';
import type { Missing } from '../translation/translate-part.ts';

/** Describes an image in the storage. Checkpoints that earlier versions of the page stored lack the optional fields. */
export interface UploadedImage {
  /** Identifies the file that was uploaded. */
  fingerprint: string;
  /** The URL that the post stores. */
  url: string;
  /** Path in the storage. */
  path?: string;
  /** Pixels after rotation. */
  width?: number | null;
  height?: number | null;
  /** A thumbhash in base64. */
  placeholder?: string | null;
}

/** Holds what earlier attempts to publish a draft completed, so that a retry does not repeat it. */
export interface Checkpoint {
  /** The draft on the server and the version that this device has; 0 until its creation is confirmed. */
  desk?: { id: string; version: number };
  /** The post's id, by which a post is found whose publication was never confirmed. */
  postId?: string;
  image?: UploadedImage;
  /** Translations by source text and language. */
  translations?: readonly { source: string; language: Language; text: string }[];
  /** Translations whose last attempt failed. */
  faults?: readonly ({ source: string; language: Language } & Missing)[];
}

/** Stores the checkpoint of one draft between attempts. */
export interface CheckpointStore {
  /** Identifies the draft. */
  readonly id: string;
  read(): Checkpoint;
  write(checkpoint: Checkpoint): void;
}
