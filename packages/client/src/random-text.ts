/** 64 random bits in 14 letters and digits. */
export function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(2)), (word) =>
    word.toString(36).padStart(7, '0'),
  ).join('');
}
