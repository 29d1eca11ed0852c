import sanitizeHtml from 'sanitize-html';
import { MARKS, STRUCTURE } from './page-elements.ts';

/** Returns the markup of a slim page without scripts, styles, ids and forms, so that it can be displayed anywhere. */
export function safeHtml(markup: string): string {
  return sanitizeHtml(markup, {
    allowedTags: [...STRUCTURE, ...MARKS],
    allowedAttributes: {
      '*': ['dir', 'lang', 'title'],
      a: ['href', 'rel'],
      img: ['src', 'alt'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
      ol: ['start'],
    },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow noopener noreferrer' }) },
  }).trim();
}
