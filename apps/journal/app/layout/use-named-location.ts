import { type Location, useLocation, useMatches } from 'react-router';

/**
 * Returns the location that links and forms of the page's frame name. The missing page names the start page: the server renders it once
 * for all paths.
 */
export function useNamedLocation(): Pick<Location, 'pathname' | 'search'> {
  const location = useLocation();
  const isMissing = useMatches().some(({ id }) => id === 'not-found/route');
  return isMissing ? { pathname: '/', search: '' } : location;
}
