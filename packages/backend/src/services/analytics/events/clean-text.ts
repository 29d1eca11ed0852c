import { isIP } from 'node:net';
import { EVENT_TEXT_LENGTH } from '@fabrica/contract';

/** Something that reads as an e-mail address: newsletters write them into the addresses of pages. */
const MAIL_ADDRESS = /[^\s@]@[^\s@]+\.[^\s@]/;
/** What `@` is in an address of a page, also of one that stands in another. */
const ENCODED_AT = /%(?:25)*40/g;
/** How browsers begin to say what they are. */
const USER_AGENT = /^Mozilla\/\d/;
const CONTROL = /\p{Cc}+/gu;

/**
 * What is stored of a text: 256 characters of it; nothing of one that is blank, has somebody's e-mail address in it, or
 * is the address or the user agent of a computer.
 */
export function cleanText(text: string | null | undefined): string | null {
  if (!text) return null;
  const cut = text.slice(0, EVENT_TEXT_LENGTH).toWellFormed().replace(CONTROL, ' ').trim();
  if (cut === '' || isIP(cut) !== 0 || USER_AGENT.test(cut)) return null;
  // Half of an e-mail address still names somebody: it is looked for behind the cut as well.
  const read = text.slice(0, 2 * EVENT_TEXT_LENGTH).replace(ENCODED_AT, '@');
  return MAIL_ADDRESS.test(read) ? null : cut;
}
