import { useRouteLoaderData } from 'react-router';
import { DEFAULT_SITE, type Site } from './load-site.ts';

/** Returns the site as its operator has set it; the default one on a page whose data could not be loaded. */
export function useSite(): Site {
  return useRouteLoaderData<{ site: Site }>('root')?.site ?? DEFAULT_SITE;
}

/** Returns whether this site sends mails, so that a page may promise one. */
export function useSendsMail(): boolean {
  return useRouteLoaderData<{ sendsMail: boolean }>('root')?.sendsMail ?? false;
}
