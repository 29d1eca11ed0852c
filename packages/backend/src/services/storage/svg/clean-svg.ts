import { readFile } from 'node:fs/promises';
import type { TemporaryFile, TemporaryFiles } from '../blobs/temporary-files.ts';
import { decodeSvg, unreadableSvg } from './svg-text.ts';

/** The longest character of UTF-8. */
const BYTES_PER_CHARACTER = 4;

/** Replaces a received SVG by a sanitised one. Throws FILE_UNREADABLE. */
export async function cleanSvg(file: TemporaryFile, temporaryFiles: TemporaryFiles): Promise<TemporaryFile> {
  // The parser is large; it is loaded with the first SVG.
  const { MAX_SVG_CHARACTERS, sanitiseSvg } = await import('./sanitise-svg.ts');
  if (file.size > MAX_SVG_CHARACTERS * BYTES_PER_CHARACTER) {
    throw unreadableSvg(`it is larger than ${MAX_SVG_CHARACTERS / 1024 / 1024} MB.`);
  }
  const clean = sanitiseSvg(decodeSvg(await readFile(file.localPath)));
  const written = await temporaryFiles.receive(once(Buffer.from(clean)));
  await file.discard();
  return written;
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
