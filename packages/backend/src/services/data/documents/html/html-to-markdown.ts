import { shiftedText } from '@fabrica/contract/signs';
import { Parser } from 'htmlparser2';
import TurndownService from 'turndown';
import { addTableRules } from './markdown-tables.ts';
import type { Article } from './read-article.ts';

/**
 * Characters of a piece at most. Turndown copies all of its output with each block, so larger pieces take quadratic
 * time.
 */
const MAX_PIECE = 32 * 1024;

/** Elements that may be cut open, because Turndown shows nothing for their beginning and end. */
const CONTAINERS = new Set(['div', 'section', 'article', 'main', 'header', 'footer', 'aside', 'nav']);

/** Returns an article as Markdown, under its title. */
export function htmlToMarkdown({ title, markup }: Article): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  addTableRules(service);
  service.addRule('struck', {
    filter: ['del', 's'],
    replacement: (content) => content.replace(/\S(?:.*\S)?/s, '~~$&~~'),
  });
  service.addRule('shifted', {
    filter: ['sup', 'sub'],
    replacement(content, node) {
      // The marks of notes are links, and what holds blocks is no superscript.
      if (/\]\(|\n/.test(content)) return content;
      const kind = node.nodeName === 'SUP' ? 'sup' : 'sub';
      if (content.includes('~~')) return `${kind === 'sup' ? '^' : '_'}(${content})`;
      return service.escape(shiftedText(node.textContent?.trim() ?? '', kind));
    },
  });
  const escapeMarkdown = service.escape.bind(service);
  // Text that a page shows must not become markup in Markdown.
  service.escape = (text) => escapeMarkdown(text).replaceAll('<', '\\<').replaceAll('~~', '\\~\\~');
  const pieces = piecesOf(markup).map((piece) => service.turndown(piece));
  const body = pieces.filter(Boolean).join('\n\n').trim();
  // Readability removes a heading that equals the title.
  return title && !/^# /m.test(body) ? `# ${service.escape(title)}\n\n${body}`.trim() : body;
}

/** Cuts markup between blocks. The parser of each piece closes containers that a cut leaves open. */
function piecesOf(markup: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag(name) {
      if (!CONTAINERS.has(name)) depth += 1;
    },
    onclosetag(name) {
      if (CONTAINERS.has(name)) return;
      depth -= 1;
      if (depth > 0 || !/^(?:p|h[1-6]|ul|ol|dl|table|blockquote|pre|figure)$/.test(name)) return;
      if (parser.endIndex + 1 - start < MAX_PIECE) return;
      pieces.push(markup.slice(start, parser.endIndex + 1));
      start = parser.endIndex + 1;
    },
  });
  parser.end(markup);
  return [...pieces, markup.slice(start)];
}
