import type { Where } from '@fabrica/client';
import type { JournalPost } from '../entities.ts';
import type { Language } from '../language/languages.ts';

/** Longer searches are cut: nobody types them, and every character costs the database. */
const LONGEST_SEARCH = 100;

const COLUMNS = {
  en: { title: 'titleEn', content: 'contentEn' },
  es: { title: 'titleEs', content: 'contentEs' },
  fr: { title: 'titleFr', content: 'contentFr' },
  de: { title: 'titleDe', content: 'contentDe' },
} as const;

/** The search as it is used and shown: trimmed, without control characters, not too long. */
export function normalizeSearch(search: string | null): string {
  return (search ?? '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SEARCH)
    .trimEnd();
}

/**
 * Posts whose title or content, as readers of this language see them, hold the search: the language's
 * own column, or the base one where that is empty (docs/spec/product.md section 3).
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

/** What a reader types is looked for as it stands: `%`, `_` and `*` are no wildcards. */
function escapePattern(search: string): string {
  return search.replace(/[\\%_*]/g, '\\$&');
}
