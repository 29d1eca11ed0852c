import { looksLikeName, nameFault } from '@fabrica/contract';
import type { DisplayedComment } from '../../../project/entities.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { PostPage } from '../load-post.ts';
import { isAnonymous } from './load-comments.ts';

/** Says who wrote the post: the accounts, and the public names of all of its authors. */
export interface PostAuthors {
  ids: ReadonlySet<string>;
  /** The accounts that its byline names, and that have not accepted yet: their comments have no mark. */
  asked: ReadonlySet<string>;
  names: readonly string[];
}

type Commenter = Pick<DisplayedComment, 'userId' | 'userName'>;

/** Returns the authors of a post: its account, and those whom its byline names as such, once they accept it. */
export function authorsOf({
  userId,
  author,
  byline,
}: Pick<PostPage, 'userId' | 'author' | 'byline'>): PostAuthors {
  const named = byline.filter(({ role }) => role === 'author');
  const idsOf = (isAsked: boolean) =>
    named.flatMap((one) => (Boolean(one.isAsked) === isAsked ? (one.userId ?? []) : []));
  const names = [...(author === null ? [] : [author]), ...named.map(({ name }) => name)];
  return { ids: new Set([userId, ...idsOf(false)]), asked: new Set(idsOf(true)), names };
}

/**
 * Tells the comments of the post's authors from those of other accounts whose names look like theirs, or are
 * written as new names may not be.
 */
function authorMark(
  commenter: Commenter,
  { ids, asked, names }: PostAuthors,
): 'byAuthor' | 'namesake' | 'misspelt' | undefined {
  const { userId, userName } = commenter;
  if (ids.has(userId)) return 'byAuthor';
  if (asked.has(userId) || isAnonymous(commenter)) return undefined;
  if (names.some((name) => looksLikeName(userName, name))) return 'namesake';
  return nameFault(userName) === 'unclear' ? 'misspelt' : undefined;
}

/** Renders the mark behind the name of a comment, where it has one. */
export function AuthorMark({ commenter, authors }: { commenter: Commenter; authors: PostAuthors }) {
  const { m } = useLanguage();
  const mark = authorMark(commenter, authors);
  if (!mark) return null;
  return (
    <span className="rounded-xs border border-current px-1.5 text-[0.8125rem] text-muted">
      {m.post.comments[mark]}
    </span>
  );
}
