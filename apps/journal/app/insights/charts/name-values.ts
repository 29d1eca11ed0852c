import type { Language } from '../../language/languages.ts';
import type { Messages } from '../../language/load-messages.ts';
import { localizeTitle } from '../../language/localize.ts';
import type { Figures } from '../load-figures.ts';
import { postIdOf } from '../load-figures.ts';
import type { InsightsWords } from '../load-insights-messages.ts';

/** What the server counts values under of which a day has too many. */
const OTHER = 'other';

export interface Naming {
  language: Language;
  m: Messages;
  words: InsightsWords;
}

/** What a row of a list is called, and the page of ours that it is about. */
export interface NamedValue {
  name: string;
  to?: string | undefined;
}

/** A post by its title in the reader's language, other pages by what the journal calls them, else by their path. */
export function namePage(
  path: string,
  titles: Figures['titles'],
  { language, m, words }: Naming,
): NamedValue {
  const id = postIdOf(path);
  if (id !== undefined) {
    const post = titles.get(id);
    return post ? { name: localizeTitle(post, language), to: path } : { name: words.names.deletedPost };
  }
  const pages: Readonly<Record<string, string>> = {
    '/': words.names.home,
    '/gallery': m.layout.gallery,
    '/about-me': m.layout.about,
    '/contact': m.layout.contact,
    '/auth': words.names.signIn,
    '/account': m.layout.account,
    '/admin': m.publish.title,
    '/admin/insights': m.layout.insights,
  };
  const name = Object.hasOwn(pages, path) ? pages[path] : undefined;
  return name === undefined ? nameOther(path, words) : { name, to: path };
}

/** A language tag by the language's name: "de" is "German". */
export function nameLanguage(tag: string, { language, words }: Naming): NamedValue {
  if (tag === OTHER) return nameOther(tag, words);
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag;
  return { name: capitalize(name, language) };
}

export function nameChannel(channel: string, { words }: Naming): NamedValue {
  const known: Readonly<Record<string, string>> = words.names.channels;
  const name = Object.hasOwn(known, channel) ? known[channel] : undefined;
  return name === undefined ? nameOther(channel, words) : { name };
}

export function nameReferrer(host: string, { words }: Naming): NamedValue {
  return nameOther(host, words);
}

/** What has no name of ours stands for itself. */
function nameOther(value: string, { names }: InsightsWords): NamedValue {
  return { name: value === OTHER ? names.other : value };
}

/** Spanish and French write languages small, which at the head of a row looks like a mistake. */
function capitalize(text: string, language: Language): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
