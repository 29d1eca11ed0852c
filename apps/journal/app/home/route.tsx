import { replace } from 'react-router';
import type { Route } from './+types/route.ts';

/** The journal opens with its gallery; a language or tokens in the address go along. */
export function loader({ url }: Route.LoaderArgs) {
  throw replace(`/gallery${url.search}`);
}
