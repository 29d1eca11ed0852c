import { feedPath } from '../../discovery/feed/feed-path.ts';
import { GRID_CLASS } from '../../gallery/gallery-heading.tsx';
import { PostCard } from '../../gallery/post-card.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import type { ReadOnPosts } from './load-read-on.ts';

/** Leads on to three plates beside this one, and to the feed. */
export function ReadOn({ newer, older }: ReadOnPosts) {
  const { m, language } = useLanguage();
  const texts = m.post.readOn;
  const plates = [
    ...newer.map((post) => ({ post, label: texts.newer })),
    ...older.map((post) => ({ post, label: texts.older })),
  ];
  if (plates.length === 0) return null;
  return (
    <nav aria-labelledby="read-on" className="mt-16 border-t border-hairline pt-8 sm:mt-24 print:hidden">
      <h2 id="read-on" className="mb-8 font-serif text-2xl leading-snug">
        {texts.title}
      </h2>
      <ul className={GRID_CLASS}>
        {plates.map(({ post, label }, order) => (
          <PostCard key={post.id} post={post} order={order} loading="later" label={label} rises={false} />
        ))}
      </ul>
      <p className="mt-12 text-sm text-muted">
        {texts.feed}{' '}
        <a
          href={feedPath(language)}
          type="application/atom+xml"
          className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-ink"
        >
          {m.layout.feed}
        </a>
      </p>
    </nav>
  );
}
