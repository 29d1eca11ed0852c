import { type ComponentType, useEffect, useState } from 'react';
import { matchPath, Outlet, useLocation, useNavigation } from 'react-router';
import { GallerySkeleton } from '../gallery/gallery-skeleton.tsx';
import { PostSkeleton } from '../post/article/post-skeleton.tsx';

/** Milliseconds before placeholders replace the old page: most pages load sooner, and nothing flickers. */
const PENDING_DELAY_MS = 150;

/** Screens that have placeholders for while they load. */
const PENDING_SCREENS: readonly { path: string; Screen: ComponentType }[] = [
  { path: '/gallery', Screen: GallerySkeleton },
  { path: '/post/:id', Screen: PostSkeleton },
];

/** Shows the current screen, or the placeholders of the screen that is loading. */
export function PageOutlet() {
  const Pending = usePendingScreen();
  // Placeholders are shown from their top, while the router still has the scroll position of the old page.
  useEffect(() => {
    if (Pending) window.scrollTo(0, 0);
  }, [Pending]);
  return Pending ? <Pending /> : <Outlet />;
}

/** Tells whether placeholders are shown while the page of this path is loaded. */
export function hasPlaceholders(pathname: string): boolean {
  return PENDING_SCREENS.some(({ path }) => matchPath(path, pathname));
}

function usePendingScreen(): ComponentType | undefined {
  const { pathname } = useLocation();
  const next = useNavigation().location;
  const destination = next && next.pathname !== pathname ? next : undefined;
  const [delayedKey, setDelayedKey] = useState<string>();
  const key = destination?.key;
  useEffect(() => {
    if (key === undefined) return;
    const timer = setTimeout(() => setDelayedKey(key), PENDING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [key]);
  if (!destination || delayedKey !== key) return undefined;
  return PENDING_SCREENS.find(({ path }) => matchPath(path, destination.pathname))?.Screen;
}
