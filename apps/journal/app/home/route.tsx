import { redirect } from 'react-router';
import type { Route } from './+types/route.ts';

/**
 * The journal opens with its gallery, which stands in history in place of this address; the page that a
 * reader came from stays. A language or tokens in the address go along.
 */
export function loader({ url }: Route.LoaderArgs) {
  throw redirect(`/gallery${url.search}`);
}
