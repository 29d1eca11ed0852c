import { strFromU8, strToU8, Unzip, UnzipInflate, zipSync } from 'fflate';
import mammoth from 'mammoth';
import { UnreadableDocument } from './document.ts';
import { readWordStyles, writeMeaning } from './docx-meaning.ts';
import { htmlToText } from './html/html-to-text.ts';

const MAX_ENTRIES = 5_000;
/** Bytes of all text parts, unpacked; they are in memory three times. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024;
/** Packed bytes that are unpacked at a time; each can become a thousand bytes. */
const INPUT_STEP_BYTES = 2 * 1024;

/** The parts of an archive that hold text. Images, fonts, macros and embedded documents stay packed. */
const TEXT_PART = /^(?:\[Content_Types\]\.xml|(?:.*\/)?_rels\/[^/]+\.rels|word\/[^/]+\.xml)$/;

/** The parts whose text is read. */
const READ_PART = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/;

/** Returns the text of a Word document: its paragraphs, items, tables and notes. */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  const parts = unpack(bytes);
  if (!parts['word/document.xml']) {
    throw new UnreadableDocument('This archive is no Word document (DOCX).');
  }
  for (const part of Object.values(parts)) {
    // Word writes none, and entities that expand each other are defined there.
    if (Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes('<!DOCTYPE')) {
      throw new UnreadableDocument(
        'This document has a document type definition, which Word files have not.',
      );
    }
  }
  const styles = readWordStyles(strFromU8(parts['word/styles.xml'] ?? new Uint8Array()));
  for (const [name, part] of Object.entries(parts)) {
    if (READ_PART.test(name)) parts[name] = strToU8(writeMeaning(strFromU8(part), styles));
  }
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
    { externalFileAccess: false, convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
  );
  return htmlToText(value);
}

/** Unpacks the text parts, and stops when they are too large, whatever sizes the archive claims. */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  const parts: Record<string, Uint8Array> = {};
  let entries = 0;
  let size = 0;
  const unzip = new Unzip((file) => {
    entries += 1;
    if (entries > MAX_ENTRIES) throw new UnreadableDocument('This archive has too many entries.');
    if (!TEXT_PART.test(file.name)) return;
    const pieces: Uint8Array[] = [];
    file.ondata = (error, piece, final) => {
      if (error) throw error;
      size += piece.byteLength;
      if (size > MAX_TEXT_BYTES) throw new UnreadableDocument('This document is too large unpacked.');
      pieces.push(piece);
      if (final) parts[file.name] = Buffer.concat(pieces);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for (let start = 0; start < bytes.byteLength; start += INPUT_STEP_BYTES) {
    unzip.push(bytes.subarray(start, start + INPUT_STEP_BYTES), start + INPUT_STEP_BYTES >= bytes.byteLength);
  }
  return parts;
}
