import type { JournalPost } from '../entities.ts';
import { isLanguage, type Language } from './languages.ts';

type Suffix = Capitalize<Language>;
export type LocalizableTitle = Pick<JournalPost, 'title' | `title${Suffix}`>;
export type LocalizableText = LocalizableTitle & Pick<JournalPost, 'content' | `content${Suffix}`>;

export type LocalizedColumn = `${'title' | 'content'}${Suffix}`;

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
