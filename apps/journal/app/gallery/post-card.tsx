import type { CSSProperties, Ref } from 'react';
import { Link, useViewTransitionState } from 'react-router';
import { localizeTitle, shownLanguage } from '../../project/localize.ts';
import type { ImageFrame } from '../images/image-frame.ts';
import { ResponsiveImage, type ResponsiveImageProps } from '../images/responsive-image.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { LongDate } from '../language/long-date.tsx';
import { usePrefetch } from '../offline/use-prefetch.ts';
import type { GalleryPost } from './card-columns.ts';

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
  /** Stands below the artwork until the date takes its place; null for a date alone. */
  label: string | null;
  /** The page that the post leads back to. */
  from?: '/gallery';
  /** Whether the card is new on the page: it is animated when it appears, and on phones laid out once it comes near. */
  rises: boolean;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/** Shows a post as its artwork, with its title below and its date on hover. The artwork becomes the hero of the post when it is opened. */
export function PostCard({ post, order, loading, label, from, rises, ref }: PostCardProps) {
  const { language } = useLanguage();
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
        state={from && { from }}
        viewTransition
        prefetch={usePrefetch()}
        className="group block"
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
            className="size-full"
          />
        </div>
        <div className="artwork-caption">
          <h2
            lang={titleLanguage}
            dir="auto"
            className="min-w-0 font-serif text-xl leading-snug transition-colors [overflow-wrap:anywhere] group-hover:text-accent group-focus-visible:text-accent"
          >
            {localizeTitle(post, language)}
          </h2>
          <p className="artwork-note">
            {label !== null && <span className="small-caps-label">{label}</span>}
            <LongDate time={post.createdAt} className="text-sm" />
          </p>
        </div>
      </Link>
    </li>
  );
}
