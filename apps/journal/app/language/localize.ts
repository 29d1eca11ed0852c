import type { JournalPost } from '../entities.ts';
import { isLanguage, type Language } from './languages.ts';

type Suffix = Capitalize<Language>;
export type LocalizableTitle = Pick<JournalPost, 'title' | `title${Suffix}`>;
export type LocalizableText = LocalizableTitle & Pick<JournalPost, 'content' | `content${Suffix}`>;

export type LocalizedColumn = `${'title' | 'content'}${Suffix}`;

const SUFFIXES: Record<Language, Suffix> = { en: 'En', es: 'Es', fr: 'Fr', de: 'De' };

/** The column that holds a field in a language. */
export function localizedColumn(field: 'title' | 'content', language: Language): LocalizedColumn {
  return `${field}${SUFFIXES[language]}`;
}

/**
 * The title and content to show in a language: the language's own, or the base field where that is
 * empty or missing; any other language uses the base fields (docs/spec/product.md section 3).
 */
export function localize(post: LocalizableText, language: string): { title: string; content: string } {
  const own = isLanguage(language) ? post[`content${SUFFIXES[language]}`] : null;
  return { title: localizeTitle(post, language), content: own || post.content };
}

/** The title alone, by the rule of `localize`. */
export function localizeTitle(post: LocalizableTitle, language: string): string {
  const own = isLanguage(language) ? post[`title${SUFFIXES[language]}`] : null;
  return own || post.title;
}
