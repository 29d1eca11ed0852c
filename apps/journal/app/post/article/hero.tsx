import { Maximize2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { HERO_FRAME, type ImageFrame } from '../../images/image-frame.ts';
import { resizedUrl } from '../../images/image-urls.ts';
import { ResponsiveImage, useStorageUrl } from '../../images/responsive-image.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import type { ImageWords, ShownPost } from '../present-post.ts';
import { type ArtworkStage, ArtworkViewer } from '../viewer/artwork-viewer.tsx';
import { useViewerUrl } from '../viewer/use-viewer-url.ts';

/** Pixels of the variant that the link leads to where there is no JavaScript. */
const LINKED_WIDTH = 2560;

/** The caption of the artwork. It stands in the margin where there is one. */
export const CAPTION_ID = 'artwork-caption';
/** The long description, which tells of the artwork without sight of it. */
const DESCRIPTION_ID = 'artwork-description';

/** Shows the marks of a picture. */
export interface MarksOfPicture {
  /** Lie over the picture in its frame. */
  over(frame: ImageFrame, className?: string): ReactNode;
  /** Lie over the artwork in the viewer. */
  viewed(stage: ArtworkStage): ReactNode;
  /** Returns what stands below the artwork in the viewer, around its caption. */
  below(caption: ReactNode): ReactNode;
}

/** Renders the artwork in a frame of 16:10, and opens it in the viewer. */
export function Hero({
  post,
  marks,
}: {
  marks: MarksOfPicture | null;
  post: Pick<ShownPost, 'id' | 'title' | 'titleLanguage' | 'image' | 'imageWords' | 'pictures'>;
}) {
  const { m } = useLanguage();
  const { isOpen, open, close } = useViewerUrl();
  const { alt: written, altLanguage } = post.imageWords;
  const alt = written || m.post.illustrationOf(post.title);
  return (
    <figure
      className="relative"
      aria-describedby={hasCaption(post.imageWords) ? CAPTION_ID : undefined}
      aria-details={post.imageWords.description && DESCRIPTION_ID}
    >
      <a
        href={resizedUrl(useStorageUrl(post.image.url), LINKED_WIDTH)}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          open();
        }}
        className="group block cursor-zoom-in"
      >
        <ResponsiveImage
          source={post.image}
          frame={HERO_FRAME}
          alt={alt}
          altLanguage={altLanguage}
          loading="first"
          className="printed-whole aspect-[16/10] w-full text-sm"
          style={{ viewTransitionName: `artwork-${post.id}` }}
        />
        <span className="print:hidden absolute right-3 bottom-3 inline-flex min-h-10 items-center gap-2 rounded-xs bg-paper/90 px-3.5 text-sm font-medium text-ink transition-colors group-hover:text-accent">
          <Maximize2 aria-hidden="true" className="size-4" />
          <span className="max-sm:sr-only">{m.post.enlarge}</span>
        </span>
      </a>
      {marks?.over(HERO_FRAME, 'hero-marks')}
      {!post.pictures && (
        <ArtworkViewer
          image={post.image}
          title={post.title}
          titleLanguage={post.titleLanguage}
          alt={alt}
          altLanguage={altLanguage}
          isOpen={isOpen}
          onClose={close}
          over={marks?.viewed}
        >
          {marks ? (
            marks.below(<Caption as="p" words={post.imageWords} className="" />)
          ) : (
            <Caption
              as="p"
              words={post.imageWords}
              className="max-h-24 shrink-0 overflow-auto border-t border-hairline px-4 py-2.5 text-center sm:px-6"
            />
          )}
        </ArtworkViewer>
      )}
    </figure>
  );
}

function hasCaption({ caption, credit, licence }: ImageWords): boolean {
  return Boolean(caption || credit || licence);
}

interface CaptionProps {
  words: ImageWords;
  className: string;
  /** Where the caption stands apart from its figure it is a paragraph; that of the artwork describes it by this id. */
  as?: 'figcaption' | 'p';
  id?: string;
}

/** Shows what is said about a picture, if anything: the caption in its own language. */
export function Caption({ words, className, as: Element = 'figcaption', id }: CaptionProps) {
  if (!hasCaption(words)) return null;
  const { caption, captionLanguage, credit, licence } = words;
  const rights = [credit, licence].filter(Boolean).join(' · ');
  return (
    <Element id={id} dir="auto" className={`text-sm text-muted [overflow-wrap:anywhere] ${className}`}>
      {captionLanguage ? <span lang={captionLanguage}>{caption}</span> : caption}
      {caption && rights && ' · '}
      {rights}
    </Element>
  );
}
