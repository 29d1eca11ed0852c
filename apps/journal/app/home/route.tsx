import { redirect } from 'react-router';
import type { Route } from './+types/route.ts';

/** Redirects to the gallery, which the journal opens with. The query stays, as it may hold a language or tokens. */
export function loader({ url }: Route.LoaderArgs) {
  throw redirect(`/gallery${url.search}`);
}
