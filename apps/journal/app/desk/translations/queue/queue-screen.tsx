import { type KeyboardEvent, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { isLanguage, LANGUAGES } from '../../../../project/languages.ts';
import type { WaitingState } from '../../../../project/translations.ts';
import { useClient } from '../../../client/client-context.tsx';
import { languageName } from '../../../language/language-names.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { CONTROL_CLASS } from '../../../ui/field.tsx';
import { FailedStatement, Statement } from '../../statement.tsx';
import { useDeskMessages, useTimes } from '../../use-desk.ts';
import { MoreButton, type Pages, usePages } from '../../use-pages.tsx';
import { describeCounts } from '../release/describe-release.ts';
import { createQueueClient, type QueuePage, type QueueQuery } from './queue-client.ts';
import { ReaderReports } from './reader-reports.tsx';

const STATES = [
  'blocked',
  'missing',
  'outdated',
  'machine',
  'edited',
] as const satisfies readonly WaitingState[];

/** Lists the posts whose translations wait for a person, and what readers have reported. */
export function QueueScreen() {
  const client = useClient();
  const texts = useDeskMessages().translations.queue;
  const [parameters] = useSearchParams();
  const query = readQuery(parameters);
  const calls = useMemo(() => createQueueClient(client), [client]);
  const pages = usePages(JSON.stringify(query), {
    load: (cursor) => calls.queue({ ...query, cursor }),
    append: (shown, next) => ({ ...next, posts: [...shown.posts, ...next.posts] }),
  });
  const { data, status } = pages;
  return (
    <>
      <header className="grid max-w-2xl gap-3 pt-6 pb-8">
        <h1 className="display-title">{texts.title}</h1>
        <p className="text-lg leading-relaxed text-muted">{texts.lead}</p>
      </header>
      {client.auth.can('translations.review') && <ReaderReports client={calls} />}
      <Filters query={query} />
      {status === 'failed' && <FailedStatement title={texts.failed} onRetry={pages.reload} />}
      {status !== 'failed' && !data && (
        <>
          <p role="status" className="sr-only">
            {texts.loading}
          </p>
          <div className="skeleton mt-6 h-64" />
        </>
      )}
      {data?.posts.length === 0 && <Statement title={texts.empty.title} text={texts.empty.text} />}
      {data && data.posts.length > 0 && <Posts pages={pages} page={data} />}
    </>
  );
}

function readQuery(parameters: URLSearchParams): QueueQuery {
  const language = parameters.get('language');
  return {
    language: isLanguage(language) ? language : undefined,
    state: STATES.find((state) => state === parameters.get('state')),
  };
}

function Filters({ query }: { query: QueueQuery }) {
  const { posts, translations: texts } = useDeskMessages();
  const { language: shown } = useLanguage();
  const [, setParameters] = useSearchParams();
  const set = (name: string, value: string) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const look = `${CONTROL_CLASS} min-h-11 sm:w-auto`;
  return (
    <search className="grid grid-cols-2 gap-3 sm:flex">
      <select
        aria-label={posts.language}
        value={query.language ?? ''}
        onChange={({ target }) => set('language', target.value)}
        className={look}
      >
        <option value="">{posts.anyLanguage}</option>
        {LANGUAGES.map(({ code }) => (
          <option key={code} value={code}>
            {languageName(code, shown)}
          </option>
        ))}
      </select>
      <select
        aria-label={posts.state}
        value={query.state ?? ''}
        onChange={({ target }) => set('state', target.value)}
        className={look}
      >
        <option value="">{posts.anyState}</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {texts.states[state]}
          </option>
        ))}
      </select>
    </search>
  );
}

function Posts({ pages, page: { posts, waiting } }: { pages: Pages<QueuePage>; page: QueuePage }) {
  const { language: shown } = useLanguage();
  const { posts: list, translations: texts } = useDeskMessages();
  const published = posts.filter(({ isPublished }) => isPublished);
  const drafts = posts.filter(({ isPublished }) => !isPublished);
  return (
    <>
      <div role="status" className="mt-6 grid gap-1 text-[0.9375rem]">
        {waiting.map(({ language, segments }) => (
          <p key={language}>{texts.queue.waiting(segments, languageName(language, shown))}</p>
        ))}
      </div>
      {published.length > 0 && <List posts={published} />}
      {drafts.length > 0 && (
        <section aria-labelledby="waiting-drafts" className="mt-12">
          <h2 id="waiting-drafts" className="font-serif text-2xl">
            {texts.queue.drafts.title}
          </h2>
          <p className="mt-1 text-[0.9375rem] text-muted">{texts.queue.drafts.text}</p>
          <List posts={drafts} />
        </section>
      )}
      <MoreButton pages={pages}>{list.more}</MoreButton>
    </>
  );
}

function List({ posts }: { posts: QueuePage['posts'] }) {
  const { language: shown } = useLanguage();
  const { posts: list, translations: texts } = useDeskMessages();
  const times = useTimes();
  return (
    <ul onKeyDown={moveFocus} className="mt-6 border-t border-hairline">
      {posts.map((post) => (
        <li
          key={`${post.postId} ${post.language}`}
          className="relative grid gap-x-6 gap-y-1 border-b border-hairline py-3.5 transition-colors hover:bg-raised has-[a:focus-visible]:bg-raised sm:grid-cols-[minmax(0,1fr)_auto]"
        >
          <Link
            to={`/admin/posts/${post.postId}/translations/${post.language}`}
            className="font-serif text-lg leading-snug [overflow-wrap:anywhere] after:absolute after:inset-0 hover:text-accent"
          >
            {post.title.trim() || list.untitled}
            <span className="sr-only">, {languageName(post.language, shown)}</span>
          </Link>
          <p className="text-sm font-medium sm:text-right">{languageName(post.language, shown)}</p>
          <p className="text-sm text-muted">{describeCounts(post.counts, texts)}</p>
          <p className="text-sm text-muted sm:text-right">
            {texts.release.short[post.state]} · {times.day(post.updatedAt)}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Moves between the links of a list with the keys of the page of a translation. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const next = links[links.indexOf(document.activeElement as HTMLAnchorElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
