import { sha256 } from '@noble/hashes/sha2.js';

/** A segment is distinguished from its former words by so many bytes of its hash: 16 characters. */
const BYTES = 12;

/**
 * Returns the hash of a segment's words: the first 96 bits of the SHA-256 of their normal form (NFC) in base64url. Browsers
 * offer SHA-256 to secure pages only, and asynchronously.
 */
export function hashWords(text: string): string {
  const digest = sha256(new TextEncoder().encode(text.normalize('NFC')));
  return btoa(String.fromCharCode(...digest.subarray(0, BYTES)))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
