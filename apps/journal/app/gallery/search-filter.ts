import type { Where } from '@fabrica/client';
import type { JournalPost } from '../entities.ts';
import type { Language } from '../language/languages.ts';

/** Characters of a search. Longer ones are cut, because every character costs the database time. */
const MAX_SEARCH_LENGTH = 100;

const COLUMNS = {
  en: { title: 'titleEn', content: 'contentEn' },
  es: { title: 'titleEs', content: 'contentEs' },
  fr: { title: 'titleFr', content: 'contentFr' },
  de: { title: 'titleDe', content: 'contentDe' },
} as const;

/** Returns the search without control characters and surrounding white space, cut to its maximum length. */
export function normalizeSearch(search: string | null): string {
  return (search ?? '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_SEARCH_LENGTH)
    .trimEnd();
}

/**
 * Returns a filter for posts whose title or content contains the search in this language: it looks at the language's
 * own column, or at the base column when that is empty (docs/spec/product.md section 3).
 */
export function buildSearchFilter(search: string, language: Language): Where<JournalPost> {
  const pattern = `%${escapePattern(search)}%`;
  const { title, content } = COLUMNS[language];
  return { OR: [...matches('title', title, pattern), ...matches('content', content, pattern)] };
}

function matches(base: keyof JournalPost, own: keyof JournalPost, pattern: string): Where<JournalPost>[] {
  return [
    { [own]: { ilike: pattern } },
    { AND: [{ OR: [{ [own]: null }, { [own]: '' }] }, { [base]: { ilike: pattern } }] },
  ];
}

/** Escapes `%`, `_` and `*`, so that they are searched for and do not work as wildcards. */
function escapePattern(search: string): string {
  return search.replace(/[\\%_*]/g, '\\$&');
}
