import type { CSSProperties } from 'react';
import { useRouteLoaderData } from 'react-router';
import { BrokenImage, useBroken } from './broken-image.tsx';
import { fitImage, frameSizes, type ImageFit, type ImageFrame, type ImageSize } from './image-frame.ts';
import { imageUrls } from './image-urls.ts';

/** Describes an image for the component that shows it. */
export interface DisplayedImage extends ImageSize {
  url: string;
  /** A data URL that is shown until the image is loaded; `null` where there is none, as for transparent images. */
  placeholder: string | null;
  /** Whether it is nearly white. */
  isBright: boolean;
  /** The point that crops keep in sight, in per cent from the left and from the top. Default: the middle. */
  focal?: readonly [number, number];
}

export interface ResponsiveImageProps {
  source: DisplayedImage;
  frame: ImageFrame;
  alt: string;
  /** The language of `alt`, where it is not the page's. */
  altLanguage?: string | undefined;
  /**
   * `first` is the image that readers wait for. `later` is loaded shortly before it is visible: at once where the
   * screen is wide, but on a phone never before the first one.
   */
  loading: 'first' | 'later';
  /** Must give the image the ratio of its frame. */
  className: string;
  style?: CSSProperties | undefined;
}

/** An image of unknown size is declared to have this height, in pixels. */
const DEFAULT_HEIGHT = 1000;

/** Fills its frame with an image, in the width and format that the reader's screen and browser need. */
export function ResponsiveImage({
  source,
  frame,
  alt,
  altLanguage,
  loading,
  className,
  style,
}: ResponsiveImageProps) {
  const { width, height } = source;
  const { src, srcSet } = imageUrls(useStorageUrl(source.url), width);
  const { isBroken, watch } = useBroken(src);
  if (isBroken) return <BrokenImage alt={alt} lang={altLanguage} className={className} style={style} />;
  const known = width && height;
  const fit = fitImage(frame, source);
  return (
    // `src` stands last, because browsers begin to load as soon as it is set.
    <img
      {...watch}
      alt={alt}
      lang={altLanguage}
      width={known ? width : Math.round(frame.ratio * DEFAULT_HEIGHT)}
      height={known ? height : DEFAULT_HEIGHT}
      loading={loading === 'later' ? 'lazy' : 'eager'}
      fetchPriority={loading === 'first' ? 'high' : 'auto'}
      decoding="async"
      className={`${groundClass(source, fit)} ${className}`}
      style={{
        ...style,
        ...placeholderStyle(source),
        ...(fit.isWhole ? placeStyle(source, fit) : focalStyle(source)),
      }}
      sizes={srcSet && frameSizes(frame, source)}
      srcSet={srcSet}
      src={src}
    />
  );
}

/** Returns the classes of how an image fills its frame, of what lies behind it, and of the dimming of bright ones on dark pages. */
export function groundClass(
  { isBright, width }: DisplayedImage,
  { isWhole }: Pick<ImageFit, 'isWhole'>,
): string {
  const dimmed = isBright ? 'dark:brightness-[0.86]' : '';
  if (isWhole && width) return `whole-artwork text-muted ${dimmed}`;
  return `${isWhole ? 'object-contain' : 'cropped-artwork'} bg-plate text-on-plate ${dimmed}`;
}

/** Returns an image's placeholder for the classes of `groundClass`. */
export function placeholderStyle({ placeholder }: Pick<DisplayedImage, 'placeholder'>): CSSProperties {
  return placeholder ? ({ '--placeholder': `url(${placeholder})` } as CSSProperties) : {};
}

/** Returns the place of an artwork that is whole in its frame, and its ratio. */
function placeStyle({ width, height }: ImageSize, fit: ImageFit): CSSProperties {
  if (!width || !height) return {};
  const size = `${percent(fit.width)} ${percent(fit.height)}`;
  return { '--artwork-size': size, '--ratio': width / height } as CSSProperties;
}

/** Returns the place of an artwork in a frame that crops it. */
function focalStyle({ focal }: DisplayedImage): CSSProperties {
  return focal ? { objectPosition: `${focal[0]}% ${focal[1]}%` } : {};
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

/** Returns the URL that a page loads a file from: files of the storage may have an origin of their own. */
export function useStorageUrl(url: string): string {
  return useStorageUrls()(url);
}

/** Returns a function that does so, for many URLs. */
export function useStorageUrls(): (url: string) => string {
  const page = useRouteLoaderData<{ storageOrigin: string }>('root');
  return (url) => (url.startsWith('/storage/') ? `${page?.storageOrigin ?? ''}${url}` : url);
}
