import { useSyncExternalStore } from 'react';
import { useLocation, useRouteLoaderData } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import type { loader } from '../../root.tsx';

const neverChanges = () => () => {};

/**
 * Returns the absolute URL of the page in the language that the reader sees, so that the receiver reads the same text. In
 * the browser it has the origin that the reader uses.
 */
export function useSharedUrl(): string {
  const { language } = useLanguage();
  const { pathname } = useLocation();
  const page = useRouteLoaderData<typeof loader>('root');
  const origin = useSyncExternalStore(
    neverChanges,
    () => window.location.origin,
    () => page?.publicUrl ?? '',
  );
  return `${origin}${pathname}?lang=${language}`;
}
