import type { ReactNode } from 'react';

/** Matches a web address, and a DOI with or without `doi:` before it. */
const LINK = /https?:\/\/[^\s<>"“”«»]+|(?<![\w./-])(?:doi:\s?)?10\.\d{4,9}\/[^\s<>"“”«»]+/gi;

interface TextPart {
  text: string;
  /** The URL that the text leads to, if it is a link. */
  url?: string;
}

/** Returns a text in parts, of which web addresses and DOIs are links. The texts of all parts together are the text. */
export function findLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(LINK)) {
    const link = withoutEnding(match);
    const url = urlOf(link);
    if (!url) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: link, url });
    end = index + link.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Shows a text whose web addresses and DOIs are links. What people write gets no reputation from this site. */
export function LinkedText({ children }: { children: string }): ReactNode {
  return findLinks(children).map(({ text, url }, order) =>
    url ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
      <a key={order} href={url} rel="nofollow ugc noopener" className="text-link">
        {text}
      </a>
    ) : (
      text
    ),
  );
}

/** Returns a match without the punctuation of its sentence, and without a bracket that was opened before it. */
function withoutEnding(match: string): string {
  // Nothing that is cut opens a bracket, so that each is counted once, however long a match is.
  const unopened = new Map([
    [')', count(match, ')') - count(match, '(')],
    [']', count(match, ']') - count(match, '[')],
  ]);
  for (let end = match.length; ; end -= 1) {
    const last = match.charAt(end - 1);
    const surplus = unopened.get(last);
    const isCut = surplus === undefined ? /[.,;:!?'’*_]/.test(last) : surplus > 0;
    if (!isCut) return match.slice(0, end);
    if (surplus !== undefined) unopened.set(last, surplus - 1);
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function urlOf(link: string): string | undefined {
  const doi = /^(?:doi:\s?)?(10\..+)$/i.exec(link)?.[1];
  const url =
    doi === undefined ? link : `https://doi.org/${doi.split('/').map(encodeURIComponent).join('/')}`;
  return URL.canParse(url) && new URL(url).hostname.includes('.') ? url : undefined;
}
