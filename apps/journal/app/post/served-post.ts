import { randomBytes } from 'node:crypto';
import type { PageBackend } from '../backend-context.ts';
import { clientErrorCode } from '../sign-in/forms/form-errors.ts';
import { type CommentsPage, loadComments } from './comments/load-comments.ts';
import { findLike } from './likes/like.ts';
import type { PostFormResult } from './post-action.ts';
import { OPEN_COMMENTS, REPORT_PARAMETER, type ReportState } from './post-paths.ts';

/** Holds what the server adds to a post's page for a reader without JavaScript. */
export interface ServedPost {
  /** Whether the reader likes the post; `null` when the server keeps no session of the reader. */
  liked: boolean | null;
  /** The comments, if the URL opens them. */
  opened: OpenedComments | null;
  /** Whether the URL opens the form for an error of the translation, or one was sent by it. */
  report: ReportState | null;
  /** The result of a form, if one was sent. */
  result: PostFormResult | undefined;
  /** Whether comments can be translated. */
  translatesComments: boolean;
}

export interface OpenedComments {
  /** `null` when the comments could not be loaded. */
  page: CommentsPage | null;
  /** Whether newer comments stand on another page. */
  isOlder: boolean;
  /** The id of the comment that this page's form creates, so that a form that is sent twice creates one. */
  newId: string;
}

/** Loads what the URL of a post's page opens, and the like of a reader whose session the server keeps. */
export async function loadServedPost(
  postId: string,
  query: URLSearchParams,
  backend: PageBackend,
): Promise<Omit<ServedPost, 'result'>> {
  const { client, hasModel: translatesComments } = backend;
  const { user } = client.auth.getState();
  const isOpen = query.get(OPEN_COMMENTS.name) === OPEN_COMMENTS.value;
  const [like, opened] = await Promise.all([
    user && findLike(client, { kind: 'post', id: postId }, user.id),
    isOpen ? loadOpened(postId, query.get('cursor'), backend) : null,
  ]);
  const report = query.get(REPORT_PARAMETER);
  return {
    ...{ liked: user && like !== undefined, opened, translatesComments },
    report: report === 'open' || report === 'sent' ? report : null,
  };
}

async function loadOpened(
  postId: string,
  cursor: string | null,
  { client, reportFailure }: PageBackend,
): Promise<OpenedComments> {
  const userId = client.auth.getState().user?.id ?? null;
  const page = await loadComments(client, { postId, userId, cursor: cursor ?? undefined }).catch(
    (error: unknown) => {
      if (!clientErrorCode(error)) reportFailure(error);
      return null;
    },
  );
  const newId = `comment_${Date.now()}_${randomBytes(8).toString('hex')}`;
  return { page, isOlder: cursor !== null, newId };
}
