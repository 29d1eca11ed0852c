import { readFile } from 'node:fs/promises';
import type { TemporaryFile, TemporaryFiles } from '../blobs/temporary-files.ts';
import { decodeSvg, unreadableSvg } from './svg-text.ts';

/** UTF-8 has no longer characters. */
const BYTES_PER_CHARACTER = 4;

/** Puts a drawing that does nothing but draw in the place of the one that arrived. Throws FILE_UNREADABLE. */
export async function cleanSvg(file: TemporaryFile, temporaryFiles: TemporaryFiles): Promise<TemporaryFile> {
  // With the first drawing: what takes one apart is large.
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
