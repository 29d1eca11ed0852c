import { type ComponentType, useEffect, useState } from 'react';
import { matchPath, Outlet, useLocation, useNavigation } from 'react-router';
import { GallerySkeleton } from '../gallery/gallery-skeleton.tsx';
import { PostSkeleton } from '../post/article/post-skeleton.tsx';

/** Milliseconds that the page before may stay: most answers come sooner, and pass without a flicker. */
const PATIENCE_MS = 150;

/** Screens that show placeholders while they are on their way from another one. */
const PENDING_SCREENS: readonly { path: string; Screen: ComponentType }[] = [
  { path: '/gallery', Screen: GallerySkeleton },
  { path: '/post/:id', Screen: PostSkeleton },
];

/** The screen of this address, or the placeholders of the one that is being waited for. */
export function PageOutlet() {
  const Pending = usePendingScreen();
  // Placeholders are seen from their top; the router kept the place on the page before.
  useEffect(() => {
    if (Pending) window.scrollTo(0, 0);
  }, [Pending]);
  return Pending ? <Pending /> : <Outlet />;
}

function usePendingScreen(): ComponentType | undefined {
  const { pathname } = useLocation();
  const next = useNavigation().location;
  const elsewhere = next && next.pathname !== pathname ? next : undefined;
  const [waitedFor, setWaitedFor] = useState<string>();
  const key = elsewhere?.key;
  useEffect(() => {
    if (key === undefined) return;
    const timer = setTimeout(() => setWaitedFor(key), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  if (!elsewhere || waitedFor !== key) return undefined;
  return PENDING_SCREENS.find(({ path }) => matchPath(path, elsewhere.pathname))?.Screen;
}
