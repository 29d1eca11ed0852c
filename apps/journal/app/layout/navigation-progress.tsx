import { useEffect, useState } from 'react';
import { useNavigation, useRevalidator } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import { hasPlaceholders } from './page-outlet.tsx';

/** Milliseconds after which a press needs an answer: most pages come sooner, and nothing flickers. */
const DELAY_MS = 100;

/** Shows a line at the top while the next page is on its way. Screen readers announce it once. */
export function NavigationProgress() {
  const { m } = useLanguage();
  const { state, location } = useNavigation();
  const isLoading = useRevalidator().state !== 'idle' || state !== 'idle';
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isLoading) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isLoading]);
  // Placeholders speak for themselves.
  const isAnnounced = isSlow && !(location && hasPlaceholders(location.pathname));
  return (
    <>
      {isSlow && <div aria-hidden="true" data-progress className="progress-line" />}
      <p role="status" className="sr-only">
        {isAnnounced && m.layout.loading}
      </p>
    </>
  );
}
