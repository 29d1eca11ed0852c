import type { CSSProperties } from 'react';
import { useRouteLoaderData } from 'react-router';
import { frameSizes, type ImageFrame, type ImageSize } from './image-frame.ts';
import { imageUrls } from './image-urls.ts';

/** Describes an image for the component that shows it. */
export interface DisplayedImage extends ImageSize {
  url: string;
  /** A data URL that is shown until the image is loaded; `null` where there is none. */
  placeholder: string | null;
}

export interface ResponsiveImageProps {
  source: DisplayedImage;
  frame: ImageFrame;
  alt: string;
  /**
   * `first` is the image that readers wait for, `seen` is visible at first too, `later` is loaded shortly before it
   * is visible.
   */
  loading: 'first' | 'seen' | 'later';
  /** Must give the image the ratio of its frame. */
  className: string;
  style?: CSSProperties | undefined;
}

/** An image of unknown size is declared to have this height, in pixels. */
const DEFAULT_HEIGHT = 1000;

/** Fills its frame with an image, in the width and format that the reader's screen and browser need. */
export function ResponsiveImage({ source, frame, alt, loading, className, style }: ResponsiveImageProps) {
  const { width, height, placeholder } = source;
  const { src, srcSet } = imageUrls(useStorageUrl(source.url), width);
  const known = width && height;
  return (
    // `src` stands last, because browsers begin to load as soon as it is set.
    <img
      alt={alt}
      width={known ? width : Math.round(frame.ratio * DEFAULT_HEIGHT)}
      height={known ? height : DEFAULT_HEIGHT}
      loading={loading === 'later' ? 'lazy' : 'eager'}
      fetchPriority={loading === 'first' ? 'high' : 'auto'}
      decoding="async"
      className={`bg-hairline bg-cover bg-center object-cover ${className}`}
      style={placeholder ? { ...style, backgroundImage: `url(${placeholder})` } : style}
      sizes={srcSet && frameSizes(frame, source)}
      srcSet={srcSet}
      src={src}
    />
  );
}

/** Returns the URL that a page loads a file from: files of the storage may have an origin of their own. */
export function useStorageUrl(url: string): string {
  const page = useRouteLoaderData<{ storageOrigin: string }>('root');
  return url.startsWith('/storage/') ? `${page?.storageOrigin ?? ''}${url}` : url;
}
