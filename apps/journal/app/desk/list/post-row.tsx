import { Link } from 'react-router';
import { resizedUrl } from '../../images/image-urls.ts';
import { useStorageUrl } from '../../images/responsive-image.tsx';
import { languageName } from '../../language/language-names.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { ListedPost } from '../desk-client.ts';
import { StateMark } from '../state-mark.tsx';
import { useDeskMessages, useTimes } from '../use-desk.ts';

interface PostRowProps {
  post: ListedPost;
  selected: boolean;
  /** Whether the owner is named: in the list of all posts, where it is somebody else. */
  showsOwner: boolean;
  onSelect(selected: boolean): void;
}

/** Pixels of the variant that is shown small. */
const THUMBNAIL_WIDTH = 160;

/** Shows a post of the list, with a link to the desk. */
export function PostRow({ post, selected, showsOwner, onSelect }: PostRowProps) {
  const texts = useDeskMessages().posts;
  const { language } = useLanguage();
  const times = useTimes();
  const title = post.title.trim() || texts.untitled;
  const { state, changed, scheduledAt, views } = post;
  const isCounted = views !== null && state !== 'draft';
  const viewWords = isCounted && texts.views(new Intl.NumberFormat(language).format(views), views);
  return (
    <li className="relative grid grid-cols-[auto_3rem_1fr] items-center gap-x-4 border-b border-hairline py-3.5 transition-colors hover:bg-raised has-[a:focus-visible]:bg-raised lg:grid-cols-[auto_3rem_minmax(0,1fr)_9rem_6rem_7rem]">
      {/* Above the link, which covers the row. */}
      <label className="relative z-10 -m-2 grid size-11 cursor-pointer place-items-center">
        <span className="sr-only">{texts.select(title)}</span>
        <input
          type="checkbox"
          checked={selected}
          onChange={({ target }) => onSelect(target.checked)}
          className="size-4.5 accent-(--accent)"
        />
      </label>
      <Thumbnail url={post.imageUrl} />
      <div className="min-w-0">
        <Link
          to={`/admin/posts/${post.id}`}
          lang={post.title.trim() && post.language !== language ? (post.language ?? undefined) : undefined}
          className="line-clamp-2 font-serif text-lg leading-snug [overflow-wrap:anywhere] after:absolute after:inset-0 hover:text-accent"
        >
          {title}
        </Link>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
          {showsOwner && <span>{texts.by(post.owner.name ?? texts.someone)}</span>}
          <span>
            {state === 'scheduled' && scheduledAt !== null
              ? texts.scheduledFor(times.full(scheduledAt))
              : texts.updated(times.full(post.updatedAt))}
          </span>
          {post.missedSchedule && <span className="text-accent">{texts.missedSchedule}</span>}
          {post.takenOffSchedule && <span className="text-accent">{texts.takenOffSchedule}</span>}
          {changed && state === 'published' && <span className="text-accent">{texts.changed}</span>}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 text-sm lg:hidden">
          <StateMark state={state} />
          <Languages post={post} />
          {isCounted && <span className="text-muted tabular-nums">{viewWords}</span>}
        </p>
      </div>
      <StateMark state={state} className="text-sm max-lg:hidden" />
      <span className="text-sm max-lg:hidden">
        <Languages post={post} />
      </span>
      <span className="text-right text-sm text-muted tabular-nums max-lg:hidden">{viewWords}</span>
    </li>
  );
}

function Thumbnail({ url }: { url: string | null }) {
  const src = useStorageUrl(url ?? '');
  return url ? (
    <img
      src={resizedUrl(src, THUMBNAIL_WIDTH)}
      alt=""
      loading="lazy"
      decoding="async"
      className="aspect-[4/5] w-12 bg-plate object-cover"
    />
  ) : (
    <span className="aspect-[4/5] w-12 border border-dashed border-field/60" />
  );
}

/** Names the languages by their codes; screen readers read the names. */
function Languages({ post: { languages } }: { post: ListedPost }) {
  const { language } = useLanguage();
  const names = languages.map((code) => languageName(code, language)).join(', ');
  return (
    <>
      <span className="sr-only">{names}</span>
      <span aria-hidden="true" title={names} className="small-caps-label text-muted">
        {languages.join(' ')}
      </span>
    </>
  );
}
