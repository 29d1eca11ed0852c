import { languageOfTag, visitorLanguage } from '../../project/languages.ts';

/** Matches the pages that are the same for every reader. */
const SHARED_PAGES =
  /^\/(?:(gallery|about-me|contact|imprint|privacy|admin|post\/[\w-]{1,100})(\.data)?|post\/[\w-]{1,100}\/annotations\.json|robots\.txt|manifest\.webmanifest|feed\.xml|sitemap(\/[\w-]{1,130})?\.xml)$/;
/** Lists of posts for programs, of which no query changes anything but the language. */
const LIST = /^\/(sitemap|feed\.)/;
/** These query parameters change such a page. */
const PARAMETERS = ['cursor', 'comments', 'report', 'reader', '_routes'] as const;

type PageUrl = Pick<URL, 'pathname' | 'search' | 'searchParams'>;

/** Tells whether a page is a list of posts for programs, which may be large. */
export function isList(pathname: string): boolean {
  return LIST.test(pathname);
}

/**
 * Returns the part of the query that changes a page beside its language, or `undefined` for a page that is not shared. Results of
 * searches are not: they depend on the names of authors too, and few are asked for twice.
 */
export function sharedSearch({ pathname, search, searchParams }: PageUrl): string | undefined {
  if (!SHARED_PAGES.test(pathname)) return undefined;
  if (search === '' || isList(pathname)) return '';
  if (searchParams.get('search')) return undefined;
  const relevant = new URLSearchParams();
  for (const name of PARAMETERS) {
    // Of a visitor's own language, the four that there are change the page.
    const value = name === 'reader' ? visitorLanguage(searchParams) : searchParams.get(name);
    if (typeof value === 'string') relevant.set(name, value);
  }
  return relevant.size > 0 ? `?${relevant}` : '';
}

/** Returns the path and query of a page that is shared, without what changes nothing; undefined for any other URL. */
export function pageAddress(url: string): string | undefined {
  const question = url.indexOf('?');
  if (question < 0) return SHARED_PAGES.test(url) ? url : undefined;
  const [pathname, search] = [url.slice(0, question), url.slice(question)];
  const searchParams = new URLSearchParams(search);
  const relevant = sharedSearch({ pathname, search, searchParams });
  if (relevant === undefined) return undefined;
  const language = languageOfTag(searchParams.get('lang'));
  return pathname + relevant + (language ? `#${language}` : '');
}
