import { ImageOff } from 'lucide-react';
import { type CSSProperties, useCallback, useEffect, useState } from 'react';
import { useLanguage } from '../language/language-provider.tsx';

interface BrokenImageProps {
  /** The alternative text; empty where the image stands beside its own title. */
  alt: string;
  /** The language of `alt`, where it is not the page's. */
  lang?: string | undefined;
  className: string;
  style?: CSSProperties | undefined;
}

/** Stands in for an image that could not be loaded, with its alternative text. */
export function BrokenImage({ alt, lang, className, style }: BrokenImageProps) {
  const { m, language } = useLanguage();
  return (
    <div
      className={`grid place-items-center bg-raised ${className}`}
      style={style}
      {...(alt ? { role: 'img', 'aria-label': alt, lang } : { 'aria-hidden': true })}
    >
      <div className="grid max-w-sm justify-items-center gap-3 p-6 text-center text-muted">
        <ImageOff aria-hidden="true" strokeWidth={1.25} className="size-8" />
        <p lang={language} className="text-sm">
          {m.layout.brokenImage}
        </p>
        {alt && <p className="font-serif text-lg leading-snug text-ink">{alt}</p>}
      </div>
    </div>
  );
}

/** Tells whether an image could not be loaded, even before the page was hydrated. It is tried again once online. */
export function useBroken(src: string) {
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const isBroken = brokenSrc === src;
  const ref = useCallback(
    (image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth === 0) image.decode().catch(() => setBrokenSrc(src));
    },
    [src],
  );
  useEffect(() => {
    if (!isBroken) return;
    const retry = () => setBrokenSrc(undefined);
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [isBroken]);
  return { isBroken, watch: { ref, onError: () => setBrokenSrc(src) } };
}
