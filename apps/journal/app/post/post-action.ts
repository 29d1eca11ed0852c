import { nameFault } from '@fabrica/contract';
import { data, redirect } from 'react-router';
import type { PostComment } from '../../project/entities.ts';
import type { PageBackend } from '../backend-context.ts';
import { clientErrorCode } from '../sign-in/forms/form-errors.ts';
import { readField } from '../sign-in/forms/form-fields.ts';
import { MAX_NAME_LENGTH } from '../sign-in/password/sign-in-fields.ts';
import { countCharacters } from '../ui/text-limit.tsx';
import { createComment, MAX_COMMENT_LENGTH } from './comments/create-comment.ts';
import { setLike } from './likes/give-like.ts';
import type { LikeTarget } from './likes/like.ts';
import { COMMENTS_ID, commentsPath, ENGAGEMENT_ID, reportPath, signInPath } from './post-paths.ts';
import { findReportError, type ReportError, reportErrorOf, sendReport } from './translation/send-report.ts';

export interface PostForm {
  /** The URL of the page that has the form. */
  url: URL;
  /** The id in that URL, which stands for the post where the form names none. */
  pageId: string;
  fields: FormData;
}

/** The result of a form. Without JavaScript, some lead to another part of the page, and for others the page is shown once more. */
export type PostFormResult =
  | { kind: 'commented'; comment: PostComment }
  | { kind: 'comment-refused'; error: CommentError; text: string; name: string }
  | { kind: 'reported' }
  | {
      kind: 'report-refused';
      error: ReportError;
      quote: string;
      message: string;
      /** Seconds after which a report may be sent again, where the server names them. */
      retryAfter: number | undefined;
    }
  /** The reader is asked whether the comment is to be deleted. */
  | { kind: 'deletion-asked'; id: string }
  | { kind: 'deleted' }
  | { kind: 'deletion-failed' };

export type CommentError =
  | 'empty'
  | 'too-long'
  | 'signed-out'
  | 'name-email'
  | 'name-unclear'
  | 'name-too-long'
  | 'too-many'
  | 'failed';

/** Sends what a reader writes on a post's page: on the server for a form without JavaScript, in the browser otherwise. */
type Sender = Pick<PageBackend, 'client' | 'reportFailure'>;

const ROW_ID = /^[\w-]{1,100}$/;

/** Handles the forms of a post's page that were sent without JavaScript. */
export async function submitWithoutScript(backend: PageBackend, form: PostForm) {
  const { url, fields } = form;
  const intent = fields.get('intent');
  if (intent === 'like') return like(backend, form);
  const here = `${url.pathname}${url.search}`;
  if (intent === 'delete-comment' && !backend.client.auth.getState().user) {
    return redirect(signInPath(`${here}#${readField(fields, 'comment')}`), 303);
  }
  const result = await submitPostForm(backend, form);
  switch (result.data?.kind) {
    case 'commented':
      return redirect(commentsPath(url.pathname, result.data.comment.id), 303);
    case 'reported':
      return redirect(reportPath(url.pathname, 'sent'), 303);
    case 'deleted':
    case 'deletion-failed':
      return redirect(`${here}#${COMMENTS_ID}`, 303);
    default:
      return result;
  }
}

/** Sends a comment or a report about the translation, or deletes a comment. */
export async function submitPostForm(sender: Sender, { pageId, fields }: Omit<PostForm, 'url'>) {
  if (fields.get('intent') === 'delete-comment') return deleteComment(sender, fields);
  const postId = readField(fields, 'post') || pageId;
  if (!ROW_ID.test(postId)) return data(undefined, { status: 400 });
  switch (fields.get('intent')) {
    case 'comment':
      return comment(sender, postId, fields);
    case 'report':
      return report(sender, postId, fields);
    default:
      return data(undefined, { status: 400 });
  }
}

/** Sets the like to the state that the form names, so that pressing twice is the same as once. */
async function like(backend: PageBackend, { url, pageId, fields }: PostForm) {
  const kind = fields.has('comment') ? 'comment' : 'post';
  const target: LikeTarget = { kind, id: readField(fields, kind) || pageId };
  if (!ROW_ID.test(target.id)) return data(undefined, { status: 400 });
  const here = `${url.pathname}${url.search}#${kind === 'comment' ? target.id : ENGAGEMENT_ID}`;
  const isSignedIn = await setLike(backend, target, readField(fields, 'like') === '1').catch((error) => {
    // The server refuses the call, for a post that is gone: the page shows what there is.
    if (clientErrorCode(error)) return true;
    throw error;
  });
  return redirect(isSignedIn ? here : signInPath(here), 303);
}

/** Creates the comment, under the id that the form names if it has one: once however often that form is sent. */
async function comment({ client, reportFailure }: Sender, postId: string, fields: FormData) {
  const id = readField(fields, 'id') || undefined;
  if (id !== undefined && !ROW_ID.test(id)) return data(undefined, { status: 400 });
  const text = readText(fields, 'content');
  const name = readField(fields, 'name').trim();
  const refuse = (error: CommentError, status: number) =>
    data<PostFormResult>({ kind: 'comment-refused', error, text, name }, { status });

  const { user } = client.auth.getState();
  const content = text.trim();
  const newName = user?.displayName ? '' : name;
  if (!user) return refuse('signed-out', 401);
  if (!content) return refuse('empty', 400);
  const fault = nameFault(newName);
  if (fault) return refuse(`name-${fault}`, 400);
  if (countCharacters(newName) > MAX_NAME_LENGTH) return refuse('name-too-long', 400);
  if (countCharacters(content) > MAX_COMMENT_LENGTH) return refuse('too-long', 400);
  try {
    const created = await createComment(client, user, { ...(id && { id }), postId, content, newName });
    return data<PostFormResult>({ kind: 'commented', comment: created });
  } catch (error) {
    const comments = client.db.table<PostComment>('postComments');
    const stored = id ? await comments.get(id).catch(() => null) : null;
    if (stored?.userId === user.id && stored.postId === postId) {
      return data<PostFormResult>({ kind: 'commented', comment: stored });
    }
    if (clientErrorCode(error) === 'RATE_LIMITED') return refuse('too-many', 429);
    if (!clientErrorCode(error)) reportFailure(error);
    return refuse('failed', 500);
  }
}

/** Sends a report about the translation. The same words about the same passage are one report, however often they are sent. */
async function report({ client, reportFailure }: Sender, postId: string, fields: FormData) {
  const [quote, message] = [readText(fields, 'quote'), readText(fields, 'message')];
  const refuse = (error: ReportError, status: number, retryAfter?: number) =>
    data<PostFormResult>({ kind: 'report-refused', error, quote, message, retryAfter }, { status });

  const sent = { postId, language: readField(fields, 'language'), quote, message };
  const fault = findReportError(sent);
  if (fault) return refuse(fault, 400);
  try {
    await sendReport(client, sent);
  } catch (error) {
    if (!clientErrorCode(error)) reportFailure(error);
    const reason = reportErrorOf(error);
    const status = { removed: 404, 'too-many': 429, failed: 500 }[reason];
    return refuse(reason, status, (error as { retryAfter?: number }).retryAfter);
  }
  return data<PostFormResult>({ kind: 'reported' });
}

/** Returns the text of a field. Browsers send line breaks as CR LF. */
function readText(fields: FormData, name: string): string {
  return readField(fields, name).replaceAll('\r\n', '\n');
}

/** Deletes a comment after the reader has been asked. One that is gone already stays so. */
async function deleteComment({ client, reportFailure }: Sender, fields: FormData) {
  const id = readField(fields, 'comment');
  if (!ROW_ID.test(id)) return data(undefined, { status: 400 });
  if (fields.get('sure') !== 'yes') return data<PostFormResult>({ kind: 'deletion-asked', id });
  try {
    await client.db.table<PostComment>('postComments').delete(id);
  } catch (error) {
    if (!clientErrorCode(error)) reportFailure(error);
    return data<PostFormResult>({ kind: 'deletion-failed' }, { status: 500 });
  }
  return data<PostFormResult>({ kind: 'deleted' });
}
