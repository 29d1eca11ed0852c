import { useRouteLoaderData } from 'react-router';
import type { loader } from '../root.tsx';

/** Where a page loads a file from: files of our storage may have an origin of their own, other addresses stay. */
export function useStoredAddress(address: string): string {
  const page = useRouteLoaderData<typeof loader>('root');
  return address.startsWith('/storage/') ? `${page?.storageOrigin ?? ''}${address}` : address;
}
