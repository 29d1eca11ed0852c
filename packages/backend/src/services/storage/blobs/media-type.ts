import { open } from 'node:fs/promises';
import { looksLikeSvg } from '../svg/svg-text.ts';
import { addExtension, fileExtension, replaceExtension } from './file-path.ts';

/** The type of a file, as its bytes show it. */
export interface MediaType {
  contentType: string;
  /** A wrong extension is corrected to the first. */
  extensions: readonly string[];
  kind: 'image' | 'svg' | 'media' | 'document' | 'unknown';
  /** Whether it is an image that browsers do not show, and that can be converted to one that they do. */
  isConvertible?: true;
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

/** Types that are served as such, by their names in file-type. Any other file is a download. */
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

/** Images that can be converted, by their names in file-type. Unless that is asked for, they are downloads. */
const CONVERTIBLE = new Set([
  'image/heic',
  'image/heic-sequence',
  'image/heif',
  'image/heif-sequence',
  'image/tiff',
]);

/** Extensions that are only right for a known type. */
const KNOWN_EXTENSIONS = new Map(
  Object.values(ALLOWED).flatMap((type) => type.extensions.map((name) => [name, type.kind])),
);

/** Extensions that are replaced by the right one; any other text after a dot is part of the name. */
const REPLACED = new Set([
  ...KNOWN_EXTENSIONS.keys(),
  ...['bin', 'bmp', 'heic', 'heif', 'ico', 'tif', 'tiff', 'txt'],
]);

/** Bytes that are enough to recognise any allowed type. */
const SNIFFED_BYTES = 4_100;

/** Returns the type of the file at `localPath`, by its bytes alone. */
export async function sniffMediaType(localPath: string): Promise<MediaType> {
  return typeOf(await readStart(localPath));
}

/** Returns the type of a whole file in memory. */
export async function sniffBytes(bytes: Uint8Array): Promise<MediaType> {
  const afterTag = isTagged(bytes) ? id3Length(bytes) : 0;
  return typeOf(bytes.subarray(afterTag, afterTag + SNIFFED_BYTES));
}

async function typeOf(start: Uint8Array): Promise<MediaType> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(start);
  if (found ? CONVERTIBLE.has(found.mime) : looksLikeTiff(start)) return { ...UNKNOWN, isConvertible: true };
  return (found && ALLOWED[found.mime]) || (looksLikeSvg(start) ? svg : UNKNOWN);
}

/** Returns whether a file begins as a TIFF, of which file-type wants to see the directory as well: that may come last. */
function looksLikeTiff(start: Uint8Array): boolean {
  return ['II*\0', 'MM\0*'].includes(String.fromCharCode(...start.subarray(0, 4)));
}

/** Returns whether browsers may show files of this content type; all others are downloads. */
export function isShownInline(contentType: string): boolean {
  return Object.values(ALLOWED).some((type) => type.contentType === contentType && type.kind !== 'document');
}

/** Returns whether files of this content type are raster images, which have variants. */
export function isRasterImage(contentType: string): boolean {
  return Object.values(ALLOWED).some((type) => type.contentType === contentType && type.kind === 'image');
}

/** Returns whether the extension is that of an image. */
export function isNamedAsImage(path: string): boolean {
  const kind = KNOWN_EXTENSIONS.get(fileExtension(path));
  return kind === 'image' || kind === 'svg';
}

/** Returns the path with the right extension. A file of unknown type loses an extension of a known one. */
export function correctExtension(path: string, type: MediaType): string {
  const extension = fileExtension(path);
  const [right = 'bin'] = type.extensions;
  if (type.kind === 'unknown') return KNOWN_EXTENSIONS.has(extension) ? replaceExtension(path, right) : path;
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

/** Returns whether an ID3 tag comes first. Its cover image can be longer than the sample; the sound is after it. */
function isTagged(head: Uint8Array): boolean {
  return head[0] === 0x49 && head[1] === 0x44 && head[2] === 0x33;
}

/** Returns the length of the tag with its header: four bytes of seven bits each (id3.org, ID3v2.4 section 3.1). */
function id3Length(head: Uint8Array): number {
  return 10 + head.subarray(6, 10).reduce((length, byte) => length * 128 + (byte & 0x7f), 0);
}
