import type { ReactNode } from 'react';
import type { ImageFrame } from '../images/image-frame.ts';
import { ResponsiveImage } from '../images/responsive-image.tsx';

interface FigureProps {
  url: string;
  width: number | null;
  height: number | null;
  alt: string;
  credit: string;
  licence: string;
  /** The caption. */
  children: ReactNode;
}

/** A picture of unknown size is declared to be this wide for its height. */
const DEFAULT_RATIO = 1.5;

/** Shows a picture within a text, as wide as the text, with its caption and what may be done with it. */
export function Figure({ url, width, height, alt, credit, licence, children }: FigureProps) {
  const ratio = width && height ? width / height : DEFAULT_RATIO;
  const frame: ImageFrame = { ratio, maxCrop: 1, widths: [['min(92vw, 38rem)']] };
  const rights = [credit, licence].filter(Boolean).join(' · ');
  return (
    <figure>
      <ResponsiveImage
        source={{ url, width, height, placeholder: null, isBright: false }}
        frame={frame}
        alt={alt}
        loading="later"
        className="printed-whole h-auto w-full"
        style={{ aspectRatio: ratio, maxWidth: width ?? undefined }}
      />
      {(children || rights) && (
        <figcaption dir="auto">
          {children}
          {rights && <p className="figure-credit">{rights}</p>}
        </figcaption>
      )}
    </figure>
  );
}
