import { Parser } from 'htmlparser2';
import TurndownService from 'turndown';
import { addTableRules } from './markdown-tables.ts';
import type { Article } from './read-article.ts';

/** The service joins all that it has with each block anew, so that it is given no more than so many characters. */
const PIECE = 32 * 1024;

/** What may be cut open: the service does not show where these begin and end. */
const FRAMES = new Set(['div', 'section', 'article', 'main', 'header', 'footer', 'aside', 'nav']);

/** An article as Markdown, under its title. */
export function htmlToMarkdown({ title, markup }: Article): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  addTableRules(service);
  const escapeMarks = service.escape.bind(service);
  // What a page shows as text is none of its markup in Markdown either.
  service.escape = (text) => escapeMarks(text).replaceAll('<', '\\<');
  const pieces = piecesOf(markup).map((piece) => service.turndown(piece));
  const body = pieces.filter(Boolean).join('\n\n').trim();
  // The search for the article takes out a heading that says the same as the title.
  return title && !/^# /m.test(body) ? `# ${service.escape(title)}\n\n${body}`.trim() : body;
}

/** Cut between blocks; frames that a cut leaves open or unopened are mended by whoever reads the piece. */
function piecesOf(markup: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag(name) {
      if (!FRAMES.has(name)) depth += 1;
    },
    onclosetag(name) {
      if (FRAMES.has(name)) return;
      depth -= 1;
      if (depth > 0 || !/^(?:p|h[1-6]|ul|ol|dl|table|blockquote|pre|figure)$/.test(name)) return;
      if (parser.endIndex + 1 - start < PIECE) return;
      pieces.push(markup.slice(start, parser.endIndex + 1));
      start = parser.endIndex + 1;
    },
  });
  parser.end(markup);
  return [...pieces, markup.slice(start)];
}
