import type { Language } from '../../../project/languages.ts';

/** Returns the path of the feed of the posts in a language (docs/decisions/language-urls.md). */
export function feedPath(language: Language): string {
  return `/feed.xml?lang=${language}`;
}
