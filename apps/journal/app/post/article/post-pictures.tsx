import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import type { ImageFrame } from '../../images/image-frame.ts';
import { resizedUrl } from '../../images/image-urls.ts';
import { ResponsiveImage, useStorageUrl } from '../../images/responsive-image.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import type { ShownPicture, ShownPost } from '../present-post.ts';
import type { ArtworkViewer, ViewerButton } from '../viewer/artwork-viewer.tsx';
import type { useViewerUrl } from '../viewer/use-viewer-url.ts';
import type { Caption, MarksOfPicture } from './hero.tsx';

/** Two stand beside each other, cropped to squares; the viewer shows them whole. */
const FRAME: ImageFrame = { ratio: 1, maxCrop: 1, widths: [['min(46vw, 18.5rem)']] };
/** One with marks is shown whole, as wide as the text. */
const WHOLE_WIDTHS: ImageFrame['widths'] = [['min(92vw, 38rem)']];
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
  /** Returns how the marks of a picture are shown on it; `null` where it has none. */
  marksOf(picture: ShownPicture, onClose: () => void): MarksOfPicture | null;
  /** Returns what stands below a picture, which has this number among all. */
  explain(picture: ShownPicture, number: number): ReactNode;
}

/** Shows the further pictures of a post, and a viewer that leafs through these and the cover. */
export function PostPictures({ post, viewer, marksOf, explain }: PostPicturesProps) {
  const { m } = useLanguage();
  const url = viewer.useViewerUrl();
  const pictures = post.pictures ?? [];
  const all: ShownPicture[] = [{ image: post.image, words: post.imageWords }, ...pictures];
  return (
    <section aria-label={m.post.viewer.more} className="mt-12 print:break-before-auto">
      <h2 className="mb-4 font-serif text-xl">{m.post.viewer.more}</h2>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-6">
        {pictures.map((picture, index) => {
          const marks = marksOf(picture, url.close);
          return (
            <li key={picture.image.url} className={marks ? 'col-span-full' : undefined}>
              <Picture
                picture={picture}
                alt={altOf(picture, post, index + 2, m.post)}
                marks={marks}
                Caption={viewer.Caption}
                onOpen={() => url.open(fragmentOf(index + 1))}
              />
              {explain(picture, index + 2)}
            </li>
          );
        })}
      </ul>
      <LeafingViewer post={post} all={all} viewer={viewer} marksOf={marksOf} {...url} />
    </section>
  );
}

interface PictureProps {
  picture: ShownPicture;
  alt: string;
  marks: MarksOfPicture | null;
  Caption: Viewer['Caption'];
  onOpen(): void;
}

function Picture({ picture: { image, words }, alt, marks, Caption, onOpen }: PictureProps) {
  const { width, height } = image;
  const ratio = width && height ? width / height : 1;
  const whole = useMemo(() => ({ ratio, maxCrop: 1, widths: WHOLE_WIDTHS }), [ratio]);
  const frame = marks ? whole : FRAME;
  return (
    <figure>
      <div className="relative">
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
            frame={frame}
            alt={alt}
            altLanguage={words.altLanguage}
            loading="later"
            className="printed-whole w-full text-sm"
            style={{ aspectRatio: frame.ratio }}
          />
        </a>
        {marks?.over(frame)}
      </div>
      <Caption words={words} className="pt-2" />
    </figure>
  );
}

interface LeafingViewerProps
  extends Pick<ReturnType<typeof useViewerUrl>, 'fragment' | 'mark' | 'leaf' | 'close'>,
    Pick<PostPicturesProps, 'post' | 'viewer' | 'marksOf'> {
  all: readonly ShownPicture[];
}

function LeafingViewer({ post, all, viewer, marksOf, fragment, mark, leaf, close }: LeafingViewerProps) {
  const { m } = useLanguage();
  const { ArtworkViewer, Caption, ViewerButton } = viewer;
  const texts = m.post.viewer;
  const frame = useRef<HTMLDivElement>(null);
  const at = placeOf(all, mark === null ? fragment : `${fragment}-${mark}`);
  const shown = all[at];
  const words = shown?.words ?? post.imageWords;
  const go = (step: number) => {
    // The URL is ahead of the page: a key that comes again at once counts from where the last one led.
    const next = placeOf(all, window.location.hash) + step;
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
  const marks = shown ? marksOf(shown, close) : null;
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
        over={marks?.viewed}
      >
        {marks?.below(null)}
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

/** Returns which picture a fragment asks for, by its number or by the letter of a mark on it; -1 for none. */
function placeOf(all: readonly ShownPicture[], fragment: string): number {
  const letter = /^#artwork-([a-z])$/.exec(fragment)?.[1];
  return letter === undefined
    ? all.findIndex((_, index) => fragmentOf(index) === fragment)
    : all.findIndex(({ words }) => words.marks?.some((mark) => mark.letter === letter));
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
