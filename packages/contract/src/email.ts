/** Matches an address whose domain is written in ASCII. Top-level domains of other scripts are `xn--` and more. */
export const EMAIL =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/;
/** Matches a domain of letters and digits of any script, and no sign that would mean something else in a URL. */
const DOMAIN = /^[\p{L}\p{N}\p{M}.-]+$/u;

/**
 * Returns an e-mail address with its domain in ASCII, which is one spelling of it: `ada@müller.example` and
 * `ada@xn--mller-kva.example` are the same mailbox. Anything else is returned as it is.
 */
export function asciiEmail(text: string): string {
  const at = text.lastIndexOf('@') + 1;
  const domain = text.slice(at);
  if (at === 0 || !/[^\0-\x7F]/.test(domain) || !DOMAIN.test(domain)) return text;
  const url = `http://${domain}`;
  return URL.canParse(url) ? `${text.slice(0, at)}${new URL(url).hostname}` : text;
}
