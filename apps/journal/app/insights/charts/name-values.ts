import type { Language } from '../../../project/languages.ts';
import { localizeTitle } from '../../../project/localize.ts';
import type { Messages } from '../../language/load-messages.ts';
import { type InsightsData, postIdOf } from '../load-insights-data.ts';
import type { InsightsMessages } from '../load-insights-messages.ts';

/** The value under which the server counts rare values when a day has too many different ones. */
const OTHER = 'other';

export interface NamingContext {
  language: Language;
  m: Messages;
  texts: InsightsMessages;
}

/** The name of a row, and the path of the page when the row is about a page of the journal. */
export interface NamedValue {
  name: string;
  to?: string | undefined;
}

/** Names a post by its title in the reader's language, a page of the journal by its title, and any other page by its path. */
export function namePage(
  path: string,
  titles: InsightsData['titles'],
  { language, m, texts }: NamingContext,
): NamedValue {
  const id = postIdOf(path);
  if (id !== undefined) {
    const post = titles.get(id);
    return post ? { name: localizeTitle(post, language), to: path } : { name: texts.names.deletedPost };
  }
  const pages: Readonly<Record<string, string>> = {
    '/': texts.names.home,
    '/gallery': m.layout.gallery,
    '/about-me': m.layout.about,
    '/contact': m.layout.contact,
    '/auth': texts.names.signIn,
    '/account': m.layout.account,
    '/admin': m.publish.title,
    '/admin/insights': m.layout.insights,
  };
  const name = Object.hasOwn(pages, path) ? pages[path] : undefined;
  return name === undefined ? nameOther(path, texts) : { name, to: path };
}

/** Names a language tag: "de" is "German". */
export function nameLanguage(tag: string, { language, texts }: NamingContext): NamedValue {
  if (tag === OTHER) return nameOther(tag, texts);
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag;
  return { name: capitalize(name, language) };
}

export function nameChannel(channel: string, { texts }: NamingContext): NamedValue {
  const known: Readonly<Record<string, string>> = texts.names.channels;
  const name = Object.hasOwn(known, channel) ? known[channel] : undefined;
  return name === undefined ? nameOther(channel, texts) : { name };
}

export function nameReferrer(host: string, { texts }: NamingContext): NamedValue {
  return nameOther(host, texts);
}

/** Names a value that has no translation by the value itself. */
function nameOther(value: string, { names }: InsightsMessages): NamedValue {
  return { name: value === OTHER ? names.other : value };
}

/** Capitalizes a name. Spanish and French do not capitalize languages, which looks like a mistake in a table. */
function capitalize(text: string, language: Language): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
