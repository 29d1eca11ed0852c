import { EVENT_TEXT_LENGTH } from '@fabrica/contract';

/** Something that reads as an e-mail address: newsletters write them into the addresses of pages. */
const ADDRESS = /[^\s@]@[^\s@]+\.[^\s@]/;
const CONTROL = /\p{Cc}+/gu;

/** What is stored of a text: 256 characters of it; nothing of one that is blank or has somebody's e-mail address in it. */
export function cleanText(text: string | null | undefined): string | null {
  if (!text) return null;
  const cut = text.slice(0, EVENT_TEXT_LENGTH).toWellFormed().replace(CONTROL, ' ').trim();
  return cut === '' || ADDRESS.test(cut.replaceAll('%40', '@')) ? null : cut;
}
