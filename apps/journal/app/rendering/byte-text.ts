/** Texts are written into this buffer first, as the length of a text in bytes costs as much as the bytes. */
const scratch = Buffer.allocUnsafeSlow(512 * 1024);

/**
 * Returns the UTF-8 of a text as a text that has a character for each byte. One typographic quotation mark gives all characters of
 * a text two bytes, and a page is searched and put together several times.
 */
export function byteText(text: string): string {
  // A character has three bytes at most.
  if (text.length * 3 > scratch.length) return Buffer.from(text).toString('latin1');
  return scratch.toString('latin1', 0, scratch.write(text));
}

/** Returns such a text once more: a slice of a page would hold all of it. */
export function copyByteText(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
