import { MAX_UPLOAD_BYTES } from '@fabrica/contract';
import type { Messages } from '../language/load-messages.ts';

/** Names the reason why a chosen file cannot be used as an image. */
export type ImageProblem =
  | 'not-an-image'
  | 'drawing'
  | 'document'
  | 'too-large'
  | 'unreadable'
  | 'unconverted';

/** Lists the image types that browsers show and that the storage accepts. */
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;

/** Lists what a file dialog offers: these types, and those that the storage converts, of which systems know the name alone. */
export const ACCEPTED_FILES = [...IMAGE_TYPES, '.heic', '.heif', '.tif', '.tiff'].join(',');

/** Bytes that show what a file is. A drawing may begin with comments. */
const SAMPLE_BYTES = 1_024;

/** The beginnings of files that are told apart by what they hold, whatever their name is. */
const BEGINNINGS: readonly [kind: 'converted' | 'drawing' | 'document', pattern: RegExp][] = [
  ['converted', /^[\s\S]{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/],
  ['converted', /^(?:II\*\0|MM\0\*)/],
  ['document', /^%PDF-/],
  ['drawing', /^\s*<(?=(?:\?|!|svg))(?=[\s\S]*?\bsvg[\s>])/i],
];

/** Returns what a file that browsers do not show as a picture holds; `null` when that is something else. */
async function kindOf(file: Blob) {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const text = new TextDecoder('latin1').decode(bytes).replace(/^ï»¿/, '');
  return BEGINNINGS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/** Returns whether the storage converts a file to an image that browsers show. */
export async function isConverted(file: Blob): Promise<boolean> {
  return (await kindOf(file)) === 'converted';
}

/** Checks a chosen file before it is uploaded. Returns `null` when it can be used. */
export async function checkImage(file: Blob): Promise<ImageProblem | null> {
  const kind = await kindOf(file);
  if (kind === 'drawing' || kind === 'document') return kind;
  const isNamedSo = (IMAGE_TYPES as readonly string[]).includes(file.type);
  if (!kind && !isNamedSo) return 'not-an-image';
  if (file.size > MAX_UPLOAD_BYTES) return 'too-large';
  // Only the storage can tell whether it is damaged.
  if (kind) return null;
  try {
    (await createImageBitmap(file)).close();
    return null;
  } catch {
    return 'unreadable';
  }
}

/** Returns the sentence that tells an author why a file cannot be used. */
export function describeProblem(
  problem: ImageProblem,
  { size }: Pick<Blob, 'size'>,
  texts: Messages['publish']['image'],
): string {
  const { notAnImage, drawing, document, tooLarge, unreadable, unconverted } = texts;
  return {
    ...{ 'not-an-image': notAnImage, drawing, document, unreadable, unconverted },
    'too-large': tooLarge(size),
  }[problem];
}

/** Returns the file's own extension if it looks like one, and otherwise the subtype of its media type. */
export function extensionOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const own = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  const fromType = /^image\/([a-z0-9]{1,5})\b/.exec(type)?.[1];
  return (own ?? fromType ?? 'img').toLowerCase();
}
