import { data, redirect } from 'react-router';
import type { PageBackend } from '../backend-context.ts';
import { clientErrorCode } from '../sign-in/forms/form-errors.ts';
import { readField } from '../sign-in/forms/form-fields.ts';
import { setLike } from './likes/give-like.ts';
import type { LikeTarget } from './likes/like.ts';
import { ENGAGEMENT_ID, signInPath } from './post-paths.ts';

export interface PostForm {
  postId: string;
  /** The URL of the page that has the form. */
  url: URL;
  fields: FormData;
}

const ROW_ID = /^[\w-]{1,100}$/;

/** Handles the forms of a post's page that were sent without JavaScript. */
export async function handlePostForm(backend: PageBackend, form: PostForm) {
  switch (form.fields.get('intent')) {
    case 'like':
      return like(backend, form);
    default:
      return data(undefined, { status: 400 });
  }
}

/** Sets the like to the state that the form names, so that pressing twice is the same as once. */
async function like(backend: PageBackend, { postId, url, fields }: PostForm) {
  const commentId = readField(fields, 'comment');
  if (commentId && !ROW_ID.test(commentId)) return data(undefined, { status: 400 });
  const target: LikeTarget = commentId ? { kind: 'comment', id: commentId } : { kind: 'post', id: postId };
  const here = `${url.pathname}${url.search}#${commentId || ENGAGEMENT_ID}`;
  const isSignedIn = await setLike(backend, target, readField(fields, 'like') === '1').catch(
    (error: unknown) => {
      // What was liked is gone: the page shows that.
      if (clientErrorCode(error)) return true;
      throw error;
    },
  );
  return redirect(isSignedIn ? here : signInPath(here), 303);
}
