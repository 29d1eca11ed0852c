/**
 * Matches the targets of links: the web, mail, telephone, and places of this site. Browsers take `//`, `/\\` and a slash before
 * white space for the beginning of another site.
 */
const LINK_TARGET = /^(?:https?:\/\/|mailto:|tel:|\/(?=[!-.0-[\]-~]|$)|#)/i;

/** Returns whether a link may lead there: no address that could run code, and none that seems to be of this site and is not. */
export function isLinkTarget(url: string): boolean {
  return LINK_TARGET.test(url);
}
