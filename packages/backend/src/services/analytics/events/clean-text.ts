import { isIP } from 'node:net';
import { EVENT_TEXT_LENGTH } from '@fabrica/contract';

/** Matches an email address: newsletters put them into the URLs of pages. */
const EMAIL = /[^\s@]@[^\s@]+\.[^\s@]/;
/** Matches an encoded `@` in a URL, also in a URL within another. */
const ENCODED_AT = /%(?:25)*40/g;
/** Matches the beginning of a browser's user agent. */
const USER_AGENT = /^Mozilla\/\d/;
const CONTROL = /\p{Cc}+/gu;

/**
 * Returns the first 256 characters of a text. Returns null for a blank text, for one that contains an email address, and
 * for one that is an IP address or a user agent.
 */
export function cleanText(text: string | null | undefined): string | null {
  if (!text) return null;
  const cut = text.slice(0, EVENT_TEXT_LENGTH).toWellFormed().replace(CONTROL, ' ').trim();
  if (cut === '' || isIP(cut) !== 0 || USER_AGENT.test(cut)) return null;
  // Half of an email address can still identify a person, so it is also searched behind the cut.
  const searched = text.slice(0, 2 * EVENT_TEXT_LENGTH).replace(ENCODED_AT, '@');
  return EMAIL.test(searched) ? null : cut;
}
