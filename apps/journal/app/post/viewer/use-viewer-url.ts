import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** This fragment opens the viewer, so that Back closes it. */
const FRAGMENT = '#artwork';

/** Tells which fragment of the page's URL asks for the viewer, and changes the URL to open, leaf through and close it. */
export function useViewerUrl() {
  const { hash, search, state } = useLocation();
  const navigate = useNavigate();
  // The server does not know the fragment, so the first render in the browser must not either.
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  const stay = { preventScrollReset: true } as const;
  const open = (fragment = FRAGMENT) =>
    navigate({ search, hash: fragment }, { ...stay, state: { openedHere: true } });
  const leaf = (fragment: string) => navigate({ search, hash: fragment }, { ...stay, state, replace: true });
  const close = () => {
    // A reader who came by a link with the fragment has no page of ours to go back to.
    if (state?.openedHere) return navigate(-1);
    return navigate({ search, hash: '' }, { ...stay, replace: true });
  };
  const fragment = isHydrated ? hash : '';
  return { isOpen: fragment === FRAGMENT, fragment, open, leaf, close };
}
