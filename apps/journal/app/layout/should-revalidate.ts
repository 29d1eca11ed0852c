import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { isSamePage } from './canonical-address.ts';

/**
 * Keeps a route's data where the URL changes in its fragment alone, or to another address of the same page: going back from one must
 * work offline too.
 */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const [current, next] = [currentUrl, nextUrl].map(({ pathname, search }) => pathname + search) as [
    string,
    string,
  ];
  const isOther = current !== next || nextUrl.hash !== currentUrl.hash;
  return isOther && isSamePage(current, next) ? false : defaultShouldRevalidate;
}
