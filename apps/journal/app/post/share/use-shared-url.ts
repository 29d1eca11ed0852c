import { useSyncExternalStore } from 'react';
import { useRouteLoaderData } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import type { loader } from '../../root.tsx';

const neverChanges = () => () => {};

/**
 * Returns the absolute URL of a page in the language that the reader sees, so that the receiver reads the same text. In
 * the browser it has the origin that the reader uses.
 */
export function useSharedUrl(path: string): string {
  const { language } = useLanguage();
  const page = useRouteLoaderData<typeof loader>('root');
  const origin = useSyncExternalStore(
    neverChanges,
    () => window.location.origin,
    () => page?.publicUrl ?? '',
  );
  return `${origin}${path}?lang=${language}`;
}
