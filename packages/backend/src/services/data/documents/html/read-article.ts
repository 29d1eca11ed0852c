import { Readability } from '@mozilla/readability';
import JSDOMParser from '@mozilla/readability/JSDOMParser.js';
import { collapseSpaces } from './page-facts.ts';
import type { SlimPage } from './slim-page.ts';

/**
 * Elements of a page that has a main part, up to which Readability searches for the article; it takes 20 to 40 µs for
 * each. Beyond, the main part is the article.
 */
const MAX_SEARCHED = 4_000;
/** The same for a page without a main part. Larger pages are indexes rather than articles, and are read whole. */
const MAX_SEARCHED_WITHOUT_MAIN = 12_000;

export interface Article {
  title: string;
  markup: string;
}

/** Returns the article of a page, or its main part, or all of it. */
export function readArticle({ markup, main, elements, facts }: SlimPage): Article {
  const title = facts.title();
  const isSearched = elements <= (main ? MAX_SEARCHED : MAX_SEARCHED_WITHOUT_MAIN);
  const found = isSearched ? findArticle(markup, title) : undefined;
  return {
    title: collapseSpaces(found?.title ?? undefined) || title,
    markup: found?.content || main || markup,
  };
}

function findArticle(markup: string, title: string) {
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const parser = new JSDOMParser();
  const page = `<html><head><title>${escaped}</title></head><body>${markup}</body></html>`;
  // The URLs of the markup are absolute already.
  const document = parser.parse(page, 'about:blank');
  if (parser.errorState !== '') return undefined;
  return new Readability(document, { disableJSONLD: true }).parse();
}
