import type { CSSProperties } from 'react';
import { frameSizes, type PictureFrame, type PictureSize } from './image-frame.ts';
import { imageSources } from './image-urls.ts';
import { useStoredAddress } from './use-storage-url.ts';

/** A picture as pages hand it about. */
export interface PictureSource extends PictureSize {
  address: string;
  /** A data address, shown until the picture is there; null where there is none. */
  placeholder: string | null;
}

export interface PictureProps {
  source: PictureSource;
  frame: PictureFrame;
  alt: string;
  /** `first` and `seen` are seen at once, the first being what the reader waits for; others come as they come near. */
  loading: 'first' | 'seen' | 'later';
  /** Must give it the frame's ratio. */
  className: string;
  style?: CSSProperties | undefined;
}

/** Pixels of a frame's height, for pictures whose own size is not known. */
const USUAL_HEIGHT = 1000;

/** A picture that fills its frame, in the width and the format that the reader's screen and browser need. */
export function Picture({ source, frame, alt, loading, className, style }: PictureProps) {
  const { width, height, placeholder } = source;
  const { src, srcSet } = imageSources(useStoredAddress(source.address), width);
  const known = width && height;
  return (
    // What is to be loaded stands last: browsers begin with it as soon as it is set.
    <img
      alt={alt}
      width={known ? width : Math.round(frame.ratio * USUAL_HEIGHT)}
      height={known ? height : USUAL_HEIGHT}
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
