import { open } from 'node:fs/promises';
import { looksLikeSvg } from '../svg/svg-text.ts';
import { addExtension, fileExtension, replaceExtension } from './file-path.ts';

/** What a file is, by its own bytes. */
export interface MediaType {
  contentType: string;
  /** The first is the one that a wrong extension is corrected to. */
  extensions: readonly string[];
  kind: 'image' | 'svg' | 'media' | 'document' | 'unknown';
}

const image = (contentType: string, ...extensions: string[]): MediaType => ({
  contentType,
  extensions,
  kind: 'image',
});
const media = (contentType: string, ...extensions: string[]): MediaType => ({
  contentType,
  extensions,
  kind: 'media',
});

const png = image('image/png', 'png', 'apng');
const ogg = media('audio/ogg', 'ogg', 'oga', 'opus');
const m4a = media('audio/mp4', 'm4a', 'mp4');
const mp4 = media('video/mp4', 'mp4', 'm4v');

const svg: MediaType = { contentType: 'image/svg+xml', extensions: ['svg'], kind: 'svg' };

/** What is served as what it is, by the name that file-type has for it. Anything else is only ever downloaded. */
const ALLOWED: Record<string, MediaType> = {
  'image/png': png,
  'image/apng': png,
  'image/jpeg': image('image/jpeg', 'jpg', 'jpeg', 'jpe', 'jfif'),
  'image/gif': image('image/gif', 'gif'),
  'image/webp': image('image/webp', 'webp'),
  'image/avif': image('image/avif', 'avif'),
  'image/svg+xml': svg,
  'audio/mpeg': media('audio/mpeg', 'mp3'),
  'audio/wav': media('audio/wav', 'wav'),
  'audio/ogg': ogg,
  'audio/ogg; codecs=opus': ogg,
  'audio/flac': media('audio/flac', 'flac'),
  'audio/aac': media('audio/aac', 'aac'),
  'audio/mp4': m4a,
  'audio/x-m4a': m4a,
  'video/mp4': mp4,
  'video/x-m4v': mp4,
  'video/webm': media('video/webm', 'webm'),
  'video/ogg': media('video/ogg', 'ogv', 'ogg'),
  'video/quicktime': media('video/quicktime', 'mov'),
  'application/pdf': { contentType: 'application/pdf', extensions: ['pdf'], kind: 'document' },
};

const UNKNOWN: MediaType = { contentType: 'application/octet-stream', extensions: ['bin'], kind: 'unknown' };

/** Extensions that promise a type which the bytes then must have. */
const PROMISES = new Map(
  Object.values(ALLOWED).flatMap((type) => type.extensions.map((name) => [name, type.kind])),
);

/** Extensions that are replaced by the right one; anything else behind a dot is part of the name. */
const REPLACED = new Set([
  ...PROMISES.keys(),
  ...['bin', 'bmp', 'heic', 'heif', 'ico', 'tif', 'tiff', 'txt'],
]);

/** Bytes that are enough to know any type on the list. */
const SNIFFED_BYTES = 4_100;

/** What the file at `localPath` is; never what its name or its sender says. */
export async function sniffMediaType(localPath: string): Promise<MediaType> {
  return typeOf(await readStart(localPath));
}

/** What these bytes are, which are all of a file. */
export async function sniffBytes(bytes: Uint8Array): Promise<MediaType> {
  const behindTag = isTagged(bytes) ? id3Length(bytes) : 0;
  return typeOf(bytes.subarray(behindTag, behindTag + SNIFFED_BYTES));
}

async function typeOf(start: Uint8Array): Promise<MediaType> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(start);
  return (found && ALLOWED[found.mime]) || (looksLikeSvg(start) ? svg : UNKNOWN);
}

/** The content type that a file of this stored type may be shown in the page with; all others are downloads. */
export function isShownInline(contentType: string): boolean {
  return Object.values(ALLOWED).some((type) => type.contentType === contentType && type.kind !== 'document');
}

/** Is a file of this stored type a picture of points, which can be given in other widths and formats? */
export function isRasterImage(contentType: string): boolean {
  return Object.values(ALLOWED).some((type) => type.contentType === contentType && type.kind === 'image');
}

/** Does the name promise an image? */
export function isNamedAsImage(path: string): boolean {
  const promised = PROMISES.get(fileExtension(path));
  return promised === 'image' || promised === 'svg';
}

/** The path with an extension that tells the truth; unknown bytes lose one that promises a type on the list. */
export function correctExtension(path: string, type: MediaType): string {
  const extension = fileExtension(path);
  const [right = 'bin'] = type.extensions;
  if (type.kind === 'unknown') return PROMISES.has(extension) ? replaceExtension(path, right) : path;
  if (type.extensions.includes(extension)) return path;
  return REPLACED.has(extension) ? replaceExtension(path, right) : addExtension(path, right);
}

async function readStart(localPath: string): Promise<Uint8Array> {
  const file = await open(localPath);
  try {
    const read = async (position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, position);
      return buffer.subarray(0, bytesRead);
    };
    const head = await read(0);
    return isTagged(head) ? read(id3Length(head)) : head;
  } finally {
    await file.close();
  }
}

/** A cover picture in front of the sound can be larger than any sample: what it is, stands behind its ID3 tag. */
function isTagged(head: Uint8Array): boolean {
  return head[0] === 0x49 && head[1] === 0x44 && head[2] === 0x33;
}

/** Of a tag with its header: four bytes of seven bits each (id3.org, ID3v2.4 section 3.1). */
function id3Length(head: Uint8Array): number {
  return 10 + head.subarray(6, 10).reduce((length, byte) => length * 128 + (byte & 0x7f), 0);
}
