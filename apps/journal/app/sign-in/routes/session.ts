import { data, redirect } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { signedOutCookie } from '../../client/signed-out.ts';
import { wantedLikesCookie } from '../../post/likes/wanted-likes.ts';
import { readField, readFormData } from '../forms/form-fields.ts';
import { safeReturnPath } from '../target/sign-in-target.ts';
import type { Route } from './+types/session.ts';

export function loader() {
  return redirect('/gallery');
}

/**
 * Acts on the session that the server keeps for a browser without a script: ends it, or hands it to a page whose script
 * runs. That page stores the tokens before it says that they are `taken`, so that a lost response loses no session.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const { client, session, cookies, publicUrl } = context.get(backendContext);
  const fields = await readFormData(request);
  switch (fields.get('intent')) {
    case 'take':
      return Response.json(session.tokens, { status: session.tokens ? 200 : 401 });
    case 'taken':
      session.release();
      return Response.json(null);
    case 'sign-out':
      if (session.tokens) cookies.set(signedOutCookie(session.tokens.user.id, publicUrl));
      cookies.set(wantedLikesCookie([]));
      await client.auth.signOut();
      session.release();
      return redirect(safeReturnPath(readField(fields, 'return_to')), 303);
    default:
      throw data(null, { status: 400 });
  }
}
