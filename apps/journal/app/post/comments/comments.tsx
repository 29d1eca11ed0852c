import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router';
import type { DisplayedComment, PostComment } from '../../../project/entities.ts';
import { usePageAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { usePaused } from '../../live/use-paused.ts';
import { Button } from '../../ui/button.tsx';
import { loadLater } from '../../ui/load-later.ts';
import type { PostPage } from '../load-post.ts';
import { COMMENTS_ID, commentsPath, OPEN_COMMENTS } from '../post-paths.ts';
import type { ServedPost } from '../served-post.ts';
import { authorsOf } from './author-mark.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import type { CommentList } from './use-comments.ts';

/** Few readers may delete a comment. */
const loadDeletion = () => import('./delete-comment.tsx');
const DeleteComment = loadLater(async () => (await loadDeletion()).DeleteComment);

interface CommentsProps {
  post: Pick<PostPage, 'id' | 'userId' | 'author' | 'byline'>;
  list: CommentList;
  served: ServedPost;
  /** Refers to the heading, which takes the focus when the comments are opened. */
  heading: RefObject<HTMLHeadingElement | null>;
}

/** Renders the comment section: the form, then the comments, newest first. */
export function Comments({
  post,
  list,
  served: { opened, result, translatesComments },
  heading,
}: CommentsProps) {
  const { m } = useLanguage();
  const { user } = usePageAuth();
  const [toDelete, setToDelete] = useState<DisplayedComment | null>(null);
  const { items, loadMore, showNew } = useFocusOnAdded(list);
  const authors = useMemo(() => authorsOf(post), [post]);
  const ownsOne = user && (user.id === post.userId || list.comments.some(({ userId }) => userId === user.id));
  useEffect(() => {
    // On a slow phone a press waits for the question as long as its code takes to load. It is asked for again with the press.
    if (ownsOne) void loadDeletion().catch(() => undefined);
  }, [ownsOne]);
  const add = (comment: PostComment) => {
    list.add(comment);
    // The button is disabled now, as there is no text, and loses the focus. In the field, it would open the keyboard of a phone.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches(':disabled, [type=submit]'))
      heading.current?.focus({ preventScroll: true });
  };
  const moveFocus = useCallback(
    (item: HTMLElement) => {
      const next = item.nextElementSibling ?? item.previousElementSibling ?? heading.current;
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    },
    [heading],
  );
  return (
    <>
      <div className="flex min-h-(--target) items-center justify-between gap-x-4">
        <h2 ref={heading} tabIndex={-1} className="font-serif text-2xl tracking-[-0.012em] outline-none">
          {m.post.comments.title}
        </h2>
        <NewComments count={list.waiting.length} onShow={showNew} />
      </div>
      <div className="mt-5">
        <CommentForm
          postId={post.id}
          newId={opened?.newId}
          refused={result?.kind === 'comment-refused' ? result : undefined}
          onPosted={add}
        />
      </div>
      <ul ref={items} className="mt-6">
        {list.comments.map((comment) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            postOwnerId={post.userId}
            authors={authors}
            isTranslatable={translatesComments}
            isDeletionAsked={result?.kind === 'deletion-asked' && result.id === comment.id}
            onDelete={setToDelete}
            onLiked={list.setLike}
            onFocusLost={moveFocus}
          />
        ))}
      </ul>
      <ListState list={list} onMore={loadMore} />
      {opened?.isOlder && (
        <Link
          to={commentsPath(`/post/${post.id}`)}
          className="hidden min-h-11 items-center text-[0.9375rem] underline underline-offset-4 hover:text-accent unscripted:inline-flex"
        >
          {m.post.comments.newest}
        </Link>
      )}
      <PausedNotice />
      <Suspense>
        {toDelete && (
          <DeleteComment
            comment={toDelete}
            fallback={heading}
            onClose={() => setToDelete(null)}
            onDeleted={list.remove}
          />
        )}
      </Suspense>
    </>
  );
}

/**
 * Renders a button that shows the new comments, in a place that is reserved for it: comments that appeared by
 * themselves would move the text that somebody reads. Screen readers announce the first one only.
 */
function NewComments({ count, onShow }: { count: number; onShow(): void }) {
  const { m } = useLanguage();
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && m.post.comments.newOnes}
      </p>
      {count > 0 && (
        <Button variant="outline" size="small" onClick={onShow} className="whitespace-nowrap">
          <span aria-hidden="true" className="sm:hidden">
            {m.post.comments.showNewShort(count)}
          </span>
          <span className="max-sm:sr-only">{m.post.comments.showNew(count)}</span>
        </Button>
      )}
    </>
  );
}

/** Shows that updates are paused, at the end of the page, where it moves nothing. */
function PausedNotice() {
  const { m } = useLanguage();
  const isPaused = usePaused();
  return (
    <p role="status" className="text-sm text-muted">
      {isPaused && m.post.comments.paused}
    </p>
  );
}

/** Moves the focus to the first added comment, because the comments replace the button that requested them. */
function useFocusOnAdded({ status, comments, waiting, load, showWaiting }: CommentList) {
  const items = useRef<HTMLUListElement>(null);
  /** Index of the first older comment, or id of the first new one. */
  const firstAdded = useRef<number | string>(null);
  useEffect(() => {
    if (status === 'failed') firstAdded.current = null;
    const first = firstAdded.current;
    if (first === null) return;
    const index = typeof first === 'number' ? first : comments.findIndex(({ id }) => id === first);
    const item = items.current?.children.item(index);
    if (!(item instanceof HTMLElement)) return;
    firstAdded.current = null;
    item.focus({ preventScroll: typeof first === 'number' });
  }, [status, comments]);
  const loadMore = () => {
    firstAdded.current = comments.length;
    load();
  };
  const showNew = () => {
    firstAdded.current = waiting[0]?.id ?? null;
    showWaiting();
  };
  return { items, loadMore, showNew };
}

/** Renders the end of the list: a skeleton, an error, the button for older comments, or a note that there are none. */
function ListState({
  list: { status, comments, nextCursor, load },
  onMore,
}: {
  list: CommentList;
  onMore: () => void;
}) {
  const { m } = useLanguage();
  const texts = m.post.comments;
  if (status === 'loading') {
    return (
      <div role="status" className="grid gap-3 py-4">
        <p className="sr-only">{texts.loading}</p>
        <div className="skeleton h-4 w-40" />
        <div className="skeleton h-4 w-full" />
      </div>
    );
  }
  if (status === 'failed') {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-4 py-4">
        <p className="text-muted">{texts.loadFailed}</p>
        <PageForm cursor={nextCursor} onSubmit={load}>
          <Button type="submit" variant="outline" size="small">
            {texts.tryAgain}
          </Button>
        </PageForm>
      </div>
    );
  }
  if (comments.length === 0) return <p className="py-4 text-muted">{texts.empty}</p>;
  if (nextCursor === null) return null;
  return (
    <PageForm cursor={nextCursor} onSubmit={onMore}>
      <Button type="submit" variant="outline" className="mt-2">
        {texts.more}
      </Button>
    </PageForm>
  );
}

interface PageFormProps {
  cursor: string | null;
  onSubmit(): void;
  children: ReactNode;
}

/** Loads a page of comments; without JavaScript, by its URL. */
function PageForm({ cursor, onSubmit, children }: PageFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form action={`#${COMMENTS_ID}`} onSubmit={submit}>
      <input type="hidden" {...OPEN_COMMENTS} />
      {cursor !== null && <input type="hidden" name="cursor" value={cursor} />}
      {children}
    </form>
  );
}
