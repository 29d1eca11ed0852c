import sanitizeHtml from 'sanitize-html';
import { MARKS, STRUCTURE } from './page-elements.ts';

/** A slim page's markup as what may be shown anywhere: nothing in it runs, styles, names itself or sends forms. */
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
