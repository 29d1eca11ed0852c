import type { Language } from '../../project/languages.ts';

/**
 * Returns the URL of the page in another language, as the reader's choice. It keeps only the search, as no other parameter changes a
 * page; the pages of signing in keep their whole query.
 */
export function languageUrl(
  code: Language,
  { pathname, search }: { pathname: string; search: string },
): string {
  const current = new URLSearchParams(search);
  const next = pathname.startsWith('/auth') ? current : new URLSearchParams();
  const searched = current.get('search');
  if (searched) next.set('search', searched);
  next.set('lang', code);
  next.set('reader', code);
  return `?${next}`;
}
