import { Readability } from '@mozilla/readability';
import JSDOMParser from '@mozilla/readability/JSDOMParser.js';
import { collapseSpaces } from './page-facts.ts';
import type { SlimPage } from './slim-page.ts';

/**
 * Elements up to which an article is looked for: the search takes 20 to 40 µs for each. Of larger pages, what they call
 * their main part is believed …
 */
const MAX_SEARCHED = 4_000;
/** … and those that do not say are searched up to this; beyond, they are indexes rather than articles, and read whole. */
const MAX_SEARCHED_WITHOUT_MAIN = 12_000;

export interface Article {
  title: string;
  markup: string;
}

/** What a page is about, without what stands around it; its main part or all of it where it has no article. */
export function readArticle({ markup, main, elements, facts }: SlimPage): Article {
  const title = facts.title();
  const searched = elements <= (main ? MAX_SEARCHED : MAX_SEARCHED_WITHOUT_MAIN);
  const found = searched ? search(markup, title) : undefined;
  return {
    title: collapseSpaces(found?.title ?? undefined) || title,
    markup: found?.content || main || markup,
  };
}

function search(markup: string, title: string) {
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const parser = new JSDOMParser();
  const page = `<html><head><title>${escaped}</title></head><body>${markup}</body></html>`;
  // It resolves addresses by the page's, and those here are whole already.
  const document = parser.parse(page, 'about:blank');
  if (parser.errorState !== '') return undefined;
  return new Readability(document, { disableJSONLD: true }).parse();
}
