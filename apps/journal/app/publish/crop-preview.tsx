import { CircleAlert } from 'lucide-react';
import { fitImage, HERO_FRAME } from '../images/image-frame.ts';
import { useLanguage } from '../language/language-provider.tsx';

/** Holds the pixels of a chosen image as it is displayed. */
export interface PreviewSize {
  width: number;
  height: number;
}

/** An image whose longer side is shorter than this is enlarged on most screens. */
const SMALL_PIXELS = 1000;

/** Shows how the post will frame a chosen image, and says when the image is small. */
export function CropPreview({ src, size }: { src: string; size: PreviewSize }) {
  const texts = useLanguage().m.publish.image;
  const { isWhole } = fitImage(HERO_FRAME, size);
  return (
    <div className="grid max-w-96 gap-1.5 text-sm text-muted">
      <p>{texts.inGallery}: 4:5</p>
      <p className="mt-2">{texts.inPost}: 16:10</p>
      <img
        src={src}
        alt=""
        className={`${isWhole ? 'bg-mat object-contain' : 'bg-plate object-cover'} aspect-[16/10] w-full`}
      />
      {Math.max(size.width, size.height) < SMALL_PIXELS && (
        <p role="status" className="mt-1 flex items-start gap-1.5 text-ink">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
          {texts.small(size.width, size.height)}
        </p>
      )}
    </div>
  );
}
