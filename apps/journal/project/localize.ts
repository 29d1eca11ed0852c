import type { JournalPost } from './entities.ts';
import { isLanguage, LANGUAGE_CODES, type Language } from './languages.ts';

type Suffix = Capitalize<Language>;
export type LocalizableTitle = Pick<JournalPost, 'title' | `title${Suffix}`>;
type LocalizableText = LocalizableTitle & Pick<JournalPost, 'content' | `content${Suffix}`>;

type LocalizedColumn = `${'title' | 'content'}${Suffix}`;

const SUFFIXES: Record<Language, Suffix> = { en: 'En', es: 'Es', fr: 'Fr', de: 'De' };

/** Returns the column that holds a field in a language. */
export function localizedColumn(field: 'title' | 'content', language: Language): LocalizedColumn {
  return `${field}${SUFFIXES[language]}`;
}

/**
 * Returns the title and content to show in a language. The base field is used where the text of the language is empty
 * or missing, and for all other languages (docs/spec/product.md section 3).
 */
export function localize(post: LocalizableText, language: string): { title: string; content: string } {
  const localized = isLanguage(language) ? post[`content${SUFFIXES[language]}`] : null;
  return { title: localizeTitle(post, language), content: localized || post.content };
}

/** Returns only the title, by the rule of `localize`. */
export function localizeTitle(post: LocalizableTitle, language: string): string {
  const localized = isLanguage(language) ? post[`title${SUFFIXES[language]}`] : null;
  return localized || post.title;
}

type WithLanguage = { language?: string | null | undefined; untranslated?: string | null | undefined };

/**
 * Returns the language of the text that `localize` shows: that of the reader if there is a translation, else that of the
 * original; `null` when it is not known. A column that holds the original is no translation.
 */
export function shownLanguage(
  post: LocalizableTitle & Partial<LocalizableText> & WithLanguage,
  field: 'title' | 'content',
  language: Language,
): Language | null {
  const text = post[localizedColumn(field, language)];
  const isFailed = post.untranslated?.split(',').includes(`${field}:${language}`);
  if (text && text !== post[field] && !isFailed) return language;
  return isLanguage(post.language) ? post.language : null;
}

/** Returns the languages in which the content of a post exists, the original first. */
export function contentLanguages(post: LocalizableText & WithLanguage): Language[] {
  const available = LANGUAGE_CODES.filter((code) => shownLanguage(post, 'content', code) === code);
  return originalFirst(available, post.language);
}

/** Returns the languages of an original, if its own is known, and of its translations: the original first. */
export function originalFirst(
  translations: readonly Language[],
  original: string | null | undefined,
): Language[] {
  return LANGUAGE_CODES.filter((code) => code === original || translations.includes(code)).sort(
    (one, other) => Number(other === original) - Number(one === original),
  );
}
