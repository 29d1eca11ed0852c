import { Link } from 'react-router';
import type { ImageFrame } from '../../images/image-frame.ts';
import { ResponsiveImage } from '../../images/responsive-image.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { usePrefetch } from '../../offline/use-prefetch.ts';
import type { Neighbour, Neighbours } from './load-neighbours.ts';

const PLATE_FRAME: ImageFrame = { ratio: 4 / 5, maxCrop: 1, widths: [['5rem']] };

/** Leads on to the posts beside this one. */
export function NeighbourLinks({ newer, older }: Neighbours) {
  const { m } = useLanguage();
  if (!newer && !older) return null;
  return (
    <nav
      aria-label={m.post.neighbours.label}
      className="mt-16 grid grid-cols-1 gap-x-10 gap-y-6 border-t border-hairline pt-8 sm:mt-24 sm:grid-cols-2 print:hidden"
    >
      {older && <NeighbourLink post={older} label={m.post.neighbours.older} />}
      {newer && <NeighbourLink post={newer} label={m.post.neighbours.newer} />}
    </nav>
  );
}

function NeighbourLink({ post, label }: { post: Neighbour; label: string }) {
  return (
    <Link to={`/post/${post.id}`} prefetch={usePrefetch()} className="group flex items-center gap-5">
      <ResponsiveImage
        source={post.image}
        frame={PLATE_FRAME}
        alt=""
        loading="later"
        className="aspect-[4/5] w-[min(5rem,22vw)] shrink-0"
      />
      <span className="grid min-w-0 grid-cols-1 gap-1.5">
        <span className="small-caps-label text-muted">{label}</span>
        <span
          lang={post.titleLanguage ?? ''}
          className="line-clamp-3 hyphens-auto font-serif text-xl leading-snug transition-colors [overflow-wrap:anywhere] group-hover:text-accent"
        >
          {post.title}
        </span>
      </span>
    </Link>
  );
}
