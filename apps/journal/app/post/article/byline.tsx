import type { MouseEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Portrait } from '../../images/portrait.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { formatDay, LongDate } from '../../language/long-date.tsx';
import { COMMENTS_ID, commentsPath } from '../post-paths.ts';
import type { Credits, ShownPost } from '../present-post.ts';

/**
 * Names the people of a post, or else its author with a photo, its date, that of the last change of its words with what the author
 * says about it, and its number of comments as a link to them.
 */
export function Byline({
  post: { id, userId, byline, author, authorPhoto, createdAt, change, comments, languages },
}: {
  post: Pick<ShownPost, 'id' | 'userId' | 'createdAt' | 'change' | 'languages'> &
    Credits & { comments: number };
}) {
  const { m, language } = useLanguage();
  const { search, state } = useLocation();
  const navigate = useNavigate();
  /** Replaces the history entry, so that one step back leaves the post. */
  const showComments = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ search, hash: COMMENTS_ID }, { replace: true, state, preventScrollReset: true });
  };
  return (
    <div className="mt-5 text-[0.9375rem] text-muted lg:mt-0">
      <div className="dotted-line">
        <p className="items-center">
          {byline.map(({ name, role, userId: account }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: somebody may be named twice
            <span key={place} className="flex items-center gap-2.5 [overflow-wrap:anywhere]">
              {account === userId && <Portrait photoUrl={authorPhoto} name={name} />}
              {role === 'author' ? name : m.post.roles[role](name)}
            </span>
          ))}
          {author && byline.length === 0 && (
            <span className="flex items-center gap-2.5 [overflow-wrap:anywhere]">
              <Portrait photoUrl={authorPhoto} name={author} />
              {author}
            </span>
          )}
          <span className="flex items-center">
            <LongDate time={createdAt} />
          </span>
          {change && (
            <span className="flex items-center">
              <time dateTime={new Date(change.at).toISOString()}>
                {m.post.updated(formatDay(change.at, language))}
              </time>
            </span>
          )}
          {comments > 0 && (
            <span className="flex items-center">
              <a
                href={commentsPath(`/post/${id}`)}
                onClick={showComments}
                className="inline-flex min-h-6 items-center underline underline-offset-4 hover:text-accent"
              >
                {m.post.comments.count(comments)}
              </a>
            </span>
          )}
        </p>
      </div>
      {change?.note && (
        <p lang={languages[0] ?? ''} dir="auto" className="mt-2 [overflow-wrap:anywhere]">
          {change.note}
        </p>
      )}
    </div>
  );
}
