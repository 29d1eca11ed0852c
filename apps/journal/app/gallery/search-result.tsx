import type { Ref } from 'react';
import { Link, useViewTransitionState } from 'react-router';
import { localizeTitle, shownLanguage } from '../../project/localize.ts';
import type { ImageFrame } from '../images/image-frame.ts';
import { ResponsiveImage } from '../images/responsive-image.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { LongDate } from '../language/long-date.tsx';
import { usePrefetch } from '../offline/use-prefetch.ts';
import type { GalleryPost } from './card-columns.ts';

const PLATE_FRAME: ImageFrame = { ratio: 4 / 5, maxCrop: 1, widths: [['6rem']] };

interface SearchResultProps {
  post: GalleryPost;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/** Shows a post that a search has found: a small plate, and the words in which it was found. */
export function SearchResult({ post, ref }: SearchResultProps) {
  const { language } = useLanguage();
  const path = `/post/${post.id}`;
  const transitioning = useViewTransitionState(path);
  return (
    <li className="border-t border-hairline py-5 last:border-b">
      <Link
        ref={ref}
        to={path}
        state={{ from: '/gallery' }}
        viewTransition
        prefetch={usePrefetch()}
        className="group flex items-start gap-5"
      >
        <ResponsiveImage
          source={post.artwork}
          frame={PLATE_FRAME}
          alt=""
          loading="later"
          className="aspect-[4/5] w-[min(6rem,22vw)] shrink-0"
          style={transitioning ? { viewTransitionName: `artwork-${post.id}` } : undefined}
        />
        <div className="grid min-w-0 gap-1.5">
          <h2
            lang={shownLanguage(post, 'title', language) ?? ''}
            dir="auto"
            className="font-serif text-xl leading-snug transition-colors [overflow-wrap:anywhere] group-hover:text-accent"
          >
            {localizeTitle(post, language)}
          </h2>
          {post.excerpt && (
            <p
              lang={post.excerpt.language ?? ''}
              dir="auto"
              className="line-clamp-2 font-serif leading-relaxed [overflow-wrap:anywhere]"
            >
              {post.excerpt.parts.map(({ words, isFound }, place) =>
                isFound ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an excerpt have no other identity
                  <mark key={place} className="bg-accent/15 text-ink">
                    {words}
                  </mark>
                ) : (
                  words
                ),
              )}
            </p>
          )}
          <LongDate time={post.createdAt} className="text-sm text-muted" />
        </div>
      </Link>
    </li>
  );
}
