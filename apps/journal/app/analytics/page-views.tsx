import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useClient } from '../client/client-context.tsx';

/** Screens of one person: signing in, the account, writing, insights. Nobody's way through them is counted. */
const PRIVATE_SCREENS = /^\/(auth|account|admin)(\/|$)/;

/** Counts a page view for each page that is come to; another query or fragment is the same page. */
export function PageViews() {
  const { pathname } = useLocation();
  const { analytics } = useClient();
  useEffect(() => {
    if (!PRIVATE_SCREENS.test(pathname)) analytics.pageView(pathname);
  }, [analytics, pathname]);
  return null;
}
