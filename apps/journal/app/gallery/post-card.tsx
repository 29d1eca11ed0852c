import type { CSSProperties, Ref } from 'react';
import { Link, useViewTransitionState } from 'react-router';
import { localizeTitle, shownLanguage } from '../../project/localize.ts';
import type { ImageFrame } from '../images/image-frame.ts';
import { ResponsiveImage, type ResponsiveImageProps } from '../images/responsive-image.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { LongDate } from '../language/long-date.tsx';
import { usePrefetch } from '../offline/use-prefetch.ts';
import type { GalleryPost } from './load-gallery-page.ts';

/** The artwork of a card, 4:5, in a column of `GRID_CLASS` within `page-width`. */
const ARTWORK_FRAME: ImageFrame = {
  ratio: 4 / 5,
  maxCrop: 1,
  widths: [
    ['(min-width: 80rem)', '23rem'],
    ['(min-width: 64rem)', '30.67vw - 1.67rem'],
    ['(min-width: 48rem)', '46vw - 1rem'],
    ['92vw'],
  ],
};

interface PostCardProps {
  post: GalleryPost;
  /** Position in the grid, from 0. */
  order: number;
  /** Tells when the browser fetches the artwork. */
  loading: ResponsiveImageProps['loading'];
  /** Shown below the artwork; null for a post without a number. */
  number: number | null;
  /** Whether the card is new on the page: it is animated when it appears, and on phones laid out once it comes near. */
  rises: boolean;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/** Shows a post as its artwork with title and date. The artwork becomes the hero of the post when it is opened. */
export function PostCard({ post, order, loading, number, rises, ref }: PostCardProps) {
  const { language, m } = useLanguage();
  const path = `/post/${post.id}`;
  const titleLanguage = shownLanguage(post, 'title', language) ?? '';
  const transitioning = useViewTransitionState(path);
  return (
    <li
      className={rises ? 'rise-in near-phone-screen' : undefined}
      style={{ '--order': order } as CSSProperties}
    >
      <Link
        ref={ref}
        to={path}
        state={{ from: '/gallery' }}
        viewTransition
        prefetch={usePrefetch()}
        className="group relative block"
      >
        <div
          className="aspect-[4/5] overflow-hidden bg-hairline"
          style={transitioning ? { viewTransitionName: `artwork-${post.id}` } : undefined}
        >
          <ResponsiveImage
            source={post.artwork}
            frame={ARTWORK_FRAME}
            alt=""
            loading={loading}
            className="size-full transition-transform duration-700 ease-out group-hover:scale-[1.025] group-focus-visible:scale-[1.025] motion-reduce:transition-none motion-reduce:group-hover:scale-100"
          />
        </div>
        <div className="artwork-caption">
          <h2
            lang={titleLanguage}
            dir="auto"
            className="font-serif text-2xl leading-[1.15] tracking-[-0.012em]"
          >
            {localizeTitle(post, language)}
          </h2>
          <LongDate time={post.createdAt} className="mt-1.5 block text-sm" />
        </div>
      </Link>
      <p className="mt-3 flex items-baseline justify-between gap-5 border-t border-hairline pt-2.5">
        {/* The caption says it too, and says it here on devices without hover. */}
        <span
          aria-hidden="true"
          lang={titleLanguage}
          dir="auto"
          className="touch:hidden line-clamp-2 font-serif text-lg leading-snug [overflow-wrap:anywhere] print:hidden"
        >
          {localizeTitle(post, language)}
        </span>
        {number !== null && (
          <span className="small-caps-label shrink-0 text-muted">{m.gallery.artworkNumber(number)}</span>
        )}
      </p>
    </li>
  );
}
