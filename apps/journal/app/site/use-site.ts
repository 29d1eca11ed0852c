import { useRouteLoaderData } from 'react-router';
import { DEFAULT_SITE, type Site } from './load-site.ts';

/** Returns the site as its operator has set it; the default one on a page whose data could not be loaded. */
export function useSite(): Site {
  return useRouteLoaderData<{ site: Site }>('root')?.site ?? DEFAULT_SITE;
}
