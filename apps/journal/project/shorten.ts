/** Returns a text without line breaks and doubled spaces. */
export function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns a text of at most `length` characters. A longer one ends behind a word, if it has some near the end, and with "…". */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  const words = /^\s/.test(text.slice(start.length)) ? start : start.replace(/\s+\S*$/, '');
  return `${(words.length > length / 2 ? words : start).replace(/[\s,;:–—-]+$/, '')}…`;
}
