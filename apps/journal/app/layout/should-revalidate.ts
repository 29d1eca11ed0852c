import type { ShouldRevalidateFunctionArgs } from 'react-router';

/** Keeps a route's data where the URL changes in its fragment alone: going back from one must work offline too. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const { pathname, search, hash } = currentUrl;
  const isSamePage = nextUrl.pathname === pathname && nextUrl.search === search;
  return isSamePage && nextUrl.hash !== hash ? false : defaultShouldRevalidate;
}
