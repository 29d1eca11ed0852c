import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import type { PostsPage } from '../desk-client.ts';
import { FailedStatement, Statement } from '../statement.tsx';
import { useDesk, useDeskMessages } from '../use-desk.ts';
import { MoreButton, type Pages, usePages } from '../use-pages.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { PostFilters, usePostFilter } from './post-filters.tsx';
import { PostRow } from './post-row.tsx';

/** Lists the posts that a user may edit: one's own, or all of them for editors. */
export function PostsScreen({ userId }: { userId: string }) {
  const { m } = useLanguage();
  const texts = useDeskMessages().posts;
  const { auth } = useClient();
  const filter = usePostFilter();
  const { query } = filter;
  const desk = useDesk();
  const pages = usePages(JSON.stringify(query), {
    load: (cursor) => desk.list({ ...query, cursor }),
    append: (shown, next) => {
      const known = new Set(shown.posts.map(({ id }) => id));
      return { ...next, posts: [...shown.posts, ...next.posts.filter(({ id }) => !known.has(id))] };
    },
  });
  const isFiltered = Object.values(query).some(Boolean);
  const { status, data } = pages;
  const posts = data?.posts;
  return (
    <>
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5 pt-6 pb-8">
        <div className="grid gap-3">
          <h1 className="display-title">{texts.title}</h1>
          <p className="text-lg leading-relaxed text-muted">
            {auth.can('posts.edit-any') ? texts.leadAll : texts.lead}
          </p>
        </div>
        {/* In the header where that is wide enough. */}
        <Link to="/admin" className={`${buttonClass()} lg:hidden`}>
          {m.layout.createPost}
        </Link>
      </header>
      <PostFilters filter={filter} />
      <p role="status" className="sr-only">
        {status === 'loading' && texts.loading}
        {status === 'ready' && posts && texts.count(posts.length)}
      </p>
      {status === 'failed' && <FailedStatement title={texts.failed} onRetry={pages.reload} />}
      {status !== 'failed' && !posts && (
        <div className="mt-6 grid gap-px">
          {[0, 1, 2, 3].map((row) => (
            <div key={row} className="skeleton h-20" />
          ))}
        </div>
      )}
      {posts?.length === 0 &&
        (isFiltered ? (
          <Statement title={texts.noMatch.title} text={texts.noMatch.text}>
            <Button variant="outline" onClick={filter.clear} className="mt-3">
              {texts.noMatch.reset}
            </Button>
          </Statement>
        ) : (
          <Statement title={texts.empty.title} text={texts.empty.text}>
            <Link to="/admin" className={`${buttonClass()} mt-3`}>
              {texts.empty.first}
            </Link>
          </Statement>
        ))}
      {posts && posts.length > 0 && (
        <Rows key={JSON.stringify(query)} userId={userId} pages={pages} posts={posts} />
      )}
    </>
  );
}

interface RowsProps {
  userId: string;
  pages: Pages<PostsPage>;
  posts: PostsPage['posts'];
}

function Rows({ userId, pages, posts }: RowsProps) {
  const texts = useDeskMessages().posts;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = posts.map(({ id }) => id);
  const selected = ids.filter((id) => chosen.has(id));
  const all = useRef<HTMLInputElement>(null);
  const isPartly = selected.length > 0 && selected.length < posts.length;
  useEffect(() => {
    if (all.current) all.current.indeterminate = isPartly;
  }, [isPartly]);

  const select = (some: readonly string[], isChosen: boolean) =>
    setChosen((before) => {
      const others = [...before].filter((id) => !some.includes(id));
      return new Set(isChosen ? [...others, ...some] : others);
    });
  return (
    <div
      aria-busy={pages.status === 'loading'}
      className="mt-6 transition-opacity aria-busy:opacity-55 motion-reduce:transition-none"
    >
      <label className="flex min-h-11 w-fit cursor-pointer items-center gap-4 text-sm text-muted">
        <input
          ref={all}
          type="checkbox"
          checked={selected.length === posts.length}
          onChange={({ target }) => select(ids, target.checked)}
          className="mx-1.25 size-4.5 accent-(--accent)"
        />
        {texts.selectAll}
      </label>
      <ul className="border-t border-hairline">
        {posts.map((post) => (
          <PostRow
            key={post.id}
            post={post}
            selected={chosen.has(post.id)}
            showsOwner={post.owner.id !== userId}
            onSelect={(isChosen) => select([post.id], isChosen)}
          />
        ))}
      </ul>
      <MoreButton pages={pages}>{texts.more}</MoreButton>
      {selected.length > 0 && (
        <BulkActions
          selected={selected}
          onClear={() => setChosen(new Set())}
          onDone={(done) => {
            select(done, false);
            pages.reload();
          }}
        />
      )}
    </div>
  );
}
