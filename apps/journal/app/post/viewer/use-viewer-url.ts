import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** This fragment opens the viewer, so that Back closes it. */
const FRAGMENT = '#artwork';

/** Matches the fragment of a picture in the viewer, with the letter of a mark behind it where the viewer shows that. */
const VIEWED = /^(#artwork(?:-\d+)?)(?:-([a-z]))?$/;

/** Tells which picture and which mark the fragment of the page's URL asks for, and changes the URL to open, leaf through and close the viewer. */
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
  const [, fragment = '', mark = null] = (isHydrated && VIEWED.exec(hash)) || [];
  return { isOpen: fragment !== '', fragment, mark, open, leaf, close };
}
