import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useClient } from '../client/client-context.tsx';

/** The private screens: sign-in, account, writing and insights. Their views are not counted. */
const PRIVATE_SCREENS = /^\/(auth|account|admin)(\/|$)/;

/** Counts a page view whenever the path changes. Another query or fragment is the same page. */
export function PageViews() {
  const { pathname } = useLocation();
  const { analytics } = useClient();
  useEffect(() => {
    if (!PRIVATE_SCREENS.test(pathname)) analytics.pageView(pathname);
  }, [analytics, pathname]);
  return null;
}
