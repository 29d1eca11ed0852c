import { useEffect } from 'react';
import { useLocation, useMatches } from 'react-router';
import { useClient } from '../client/client-context.tsx';

/** The private screens: sign-in, account, writing and insights. Their views are not counted. */
const PRIVATE_SCREENS = /^\/(auth|account|admin|preview)(\/|$)/;

/** Counts a page view whenever the path changes. Another query or fragment is the same page. */
export function PageViews() {
  const { pathname: path } = useLocation();
  // Whichever address of a post was opened, it counts as the one with its id.
  const shown = useMatches().at(-1)?.loaderData as { post?: { id: string } | null } | undefined;
  const pathname = path.startsWith('/post/') && shown?.post ? `/post/${shown.post.id}` : path;
  const { analytics } = useClient();
  useEffect(() => {
    if (!PRIVATE_SCREENS.test(pathname)) analytics.pageView(pathname);
  }, [analytics, pathname]);
  return null;
}
