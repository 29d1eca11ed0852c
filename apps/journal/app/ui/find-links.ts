/** What people write gets no reputation from this site, and opens no way back to it. */
export const WRITTEN_LINK_REL = 'nofollow ugc noopener';

/** Matches a web address, and a DOI with or without `doi:` before it. */
const LINK = /https?:\/\/[^\s<>"“”«»]+|(?<![\w./-])(?:doi:\s?)?10\.\d{4,9}\/[^\s<>"“”«»]+/gi;

interface TextPart {
  text: string;
  /** The URL that the text leads to, if it is a link. */
  url?: string;
}

/** More than any list of references has. A page with ten times as many would take a tenth of a second to render. */
const MOST_LINKS = 1_000;

/**
 * Returns a function that splits the parts of one text, of which web addresses and DOIs are links: the first `most` of them in all
 * parts together. What it returns of a part is, put together, that part.
 */
export function linkFinder(most = MOST_LINKS): (part: string) => TextPart[] {
  let left = most;
  return (part) => {
    const parts: TextPart[] = [];
    let end = 0;
    for (const { 0: match, index } of part.matchAll(LINK)) {
      if (left === 0) break;
      const link = withoutEnding(match);
      const url = urlOf(link);
      if (!url) continue;
      left -= 1;
      if (index > end) parts.push({ text: part.slice(end, index) });
      parts.push({ text: link, url });
      end = index + link.length;
    }
    if (end < part.length) parts.push({ text: part.slice(end) });
    return parts;
  };
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
