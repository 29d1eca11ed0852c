import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import type { ImageFrame } from '../../images/image-frame.ts';
import { resizedUrl } from '../../images/image-urls.ts';
import { ResponsiveImage, useStorageUrl } from '../../images/responsive-image.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import type { ShownPicture, ShownPost } from '../present-post.ts';
import type { ArtworkViewer, ViewerButton } from '../viewer/artwork-viewer.tsx';
import type { useViewerUrl } from '../viewer/use-viewer-url.ts';
import type { Caption, HeroMarks } from './hero.tsx';

/** Two stand beside each other, cropped to squares; the viewer shows them whole. */
const FRAME: ImageFrame = { ratio: 1, maxCrop: 1, widths: [['min(46vw, 18.5rem)']] };
/** Pixels of the variant that a link leads to where there is no JavaScript. */
const LINKED_WIDTH = 2560;

/** The viewer of the page, and its captions. They are handed over, so that they stay one file with the page that every post needs. */
interface Viewer {
  Caption: typeof Caption;
  ArtworkViewer: typeof ArtworkViewer;
  ViewerButton: typeof ViewerButton;
  useViewerUrl: typeof useViewerUrl;
}

type Pictured = Pick<ShownPost, 'title' | 'titleLanguage' | 'image' | 'imageWords' | 'pictures'>;

interface PostPicturesProps {
  post: Pictured;
  viewer: Viewer;
  /** Those of the cover. */
  marks: HeroMarks | null;
}

/** Shows the further pictures of a post, and a viewer that leafs through these and the cover. */
export function PostPictures({ post, viewer, marks }: PostPicturesProps) {
  const { m } = useLanguage();
  const url = viewer.useViewerUrl();
  const pictures = post.pictures ?? [];
  const all: ShownPicture[] = [{ image: post.image, words: post.imageWords }, ...pictures];
  return (
    <section aria-label={m.post.viewer.more} className="mt-12 print:break-before-auto">
      <h2 className="mb-4 font-serif text-xl">{m.post.viewer.more}</h2>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-6">
        {pictures.map((picture, index) => (
          <li key={picture.image.url}>
            <Picture
              picture={picture}
              alt={altOf(picture, post, index + 2, m.post)}
              Caption={viewer.Caption}
              onOpen={() => url.open(fragmentOf(index + 1))}
            />
          </li>
        ))}
      </ul>
      <LeafingViewer post={post} all={all} viewer={viewer} marks={marks} {...url} />
    </section>
  );
}

interface PictureProps {
  picture: ShownPicture;
  alt: string;
  Caption: Viewer['Caption'];
  onOpen(): void;
}

function Picture({ picture: { image, words }, alt, Caption, onOpen }: PictureProps) {
  return (
    <figure>
      <a
        href={resizedUrl(useStorageUrl(image.url), LINKED_WIDTH)}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onOpen();
        }}
        className="block"
      >
        <ResponsiveImage
          source={image}
          frame={FRAME}
          alt={alt}
          altLanguage={words.altLanguage}
          loading="later"
          className="printed-whole aspect-square w-full text-sm"
        />
      </a>
      <Caption words={words} className="pt-2" />
    </figure>
  );
}

interface LeafingViewerProps extends Pick<ReturnType<typeof useViewerUrl>, 'fragment' | 'leaf' | 'close'> {
  post: Pictured;
  all: readonly ShownPicture[];
  viewer: Viewer;
  marks: HeroMarks | null;
}

function LeafingViewer({ post, all, viewer, marks, fragment, leaf, close }: LeafingViewerProps) {
  const { m } = useLanguage();
  const { ArtworkViewer, Caption, ViewerButton } = viewer;
  const texts = m.post.viewer;
  const frame = useRef<HTMLDivElement>(null);
  const at = all.findIndex((_, index) => fragmentOf(index) === fragment);
  const shown = all[at];
  const words = shown?.words ?? post.imageWords;
  const go = (step: number) => {
    // The URL is ahead of the page: a key that comes again at once counts from where the last one led.
    const here = window.location.hash.replace(/-[a-z]$/, '');
    const next = all.findIndex((_, index) => fragmentOf(index) === here) + step;
    if (all[next]) void leaf(fragmentOf(next));
  };

  // A picture that takes the place of another one takes the focus from its stage along, and with it the next key.
  useLayoutEffect(() => {
    const stage = frame.current?.querySelector<HTMLElement>('.artwork-stage');
    if (at >= 0 && document.activeElement === document.body) stage?.focus();
  }, [at]);

  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const stage = frame.current?.querySelector('.artwork-stage');
    // The arrows move a picture that is enlarged.
    if (stage && stage.scrollWidth > stage.clientWidth && event.key.startsWith('Arrow')) return;
    event.preventDefault();
    go(step);
  };
  if (!post.image.url) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work on every element of the dialog.
    <div ref={frame} onKeyDown={press}>
      <ArtworkViewer
        image={shown?.image ?? post.image}
        title={post.title}
        titleLanguage={post.titleLanguage}
        alt={altOf({ words }, post, at + 1, m.post)}
        altLanguage={words.altLanguage}
        isOpen={shown !== undefined}
        onClose={close}
        over={at === 0 ? marks?.viewed : undefined}
      >
        {at === 0 && marks?.below(null)}
        <div className="flex items-center gap-1 border-t border-hairline px-1 py-1 sm:px-2">
          <ViewerButton label={texts.previous} isOff={at <= 0} onPress={() => go(-1)}>
            <ChevronLeft aria-hidden="true" className="size-5" />
          </ViewerButton>
          <div aria-live="polite" className="max-h-24 min-w-0 flex-1 overflow-auto text-center text-sm">
            <p className="text-muted">{texts.position(at + 1, all.length)}</p>
            {shown && <Caption as="p" words={words} className="pt-2" />}
          </div>
          <ViewerButton label={texts.next} isOff={at === all.length - 1} onPress={() => go(1)}>
            <ChevronRight aria-hidden="true" className="size-5" />
          </ViewerButton>
        </div>
      </ArtworkViewer>
    </div>
  );
}

/** Returns the fragment that opens a picture: the cover is the first one. */
function fragmentOf(index: number): string {
  return index === 0 ? '#artwork' : `#artwork-${index + 1}`;
}

function altOf(
  { words }: Pick<ShownPicture, 'words'>,
  { title }: Pick<ShownPost, 'title'>,
  number: number,
  { illustrationOf }: { illustrationOf(title: string): string },
): string {
  return words.alt || `${illustrationOf(title)}${number > 1 ? ` (${number})` : ''}`;
}
