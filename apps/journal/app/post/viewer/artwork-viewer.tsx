import { Minus, Plus, X } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { BrokenImage, useBroken } from '../../images/broken-image.tsx';
import { imageUrls } from '../../images/image-urls.ts';
import {
  type DisplayedImage,
  groundClass,
  placeholderStyle,
  useStorageUrl,
} from '../../images/responsive-image.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { useGestures } from './use-gestures.ts';
import { MAX_ZOOM, useZoom, type Zoom } from './use-zoom.ts';

/** A press of a button or a key makes the artwork this much larger or smaller. */
const STEP = 1.5;

/** The artwork on the stage that shows a part of it. */
export interface ArtworkStage extends Zoom {
  stage: RefObject<HTMLElement | null>;
  artwork: RefObject<HTMLElement | null>;
}

interface ArtworkViewerProps {
  image: DisplayedImage;
  title: string;
  /** `null` when it is not known. */
  titleLanguage: string | null;
  alt: string;
  /** The language of `alt`, where it is not the page's. */
  altLanguage: string | undefined;
  isOpen: boolean;
  onClose(): void;
  /** Lies over the artwork. */
  over?: ((stage: ArtworkStage) => ReactNode) | undefined;
  /** Stands below the artwork. */
  children?: ReactNode;
}

/** Shows an artwork whole in a dialog as large as the window, where it can be enlarged. */
export function ArtworkViewer({ isOpen, onClose, children, ...shown }: ArtworkViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLElement>(null);
  const titleId = useId();

  useEffect(() => {
    // Closing gives the focus back to the element that had it.
    if (!isOpen) return dialog.current?.close();
    const root = document.documentElement;
    // The page behind keeps its width without the scroll bar, in whose place the viewer stands.
    root.style.setProperty('--scroll-bar', `${window.innerWidth - root.clientWidth}px`);
    dialog.current?.showModal();
    stage.current?.focus();
  }, [isOpen]);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser closes the dialog by itself when its user insists.
      onClose={() => isOpen && onClose()}
      className="artwork-viewer fixed inset-0 m-0 h-dvh max-h-none w-screen max-w-none bg-paper text-ink open:flex open:flex-col"
    >
      {isOpen && (
        <>
          <ViewerContent key={shown.image.url} {...shown} stage={stage} titleId={titleId} onClose={onClose} />
          {children}
        </>
      )}
    </dialog>
  );
}

interface ViewerContentProps extends Omit<ArtworkViewerProps, 'isOpen' | 'children'> {
  stage: RefObject<HTMLElement | null>;
  titleId: string;
}

function ViewerContent({
  title,
  titleLanguage,
  stage,
  titleId,
  onClose,
  over,
  ...artworkProps
}: ViewerContentProps) {
  const { m, language } = useLanguage();
  const texts = m.post.viewer;
  const artwork = useRef<HTMLDivElement>(null);
  const zooming = useZoom(stage, artwork);
  const { zoom, zoomBy } = zooming;
  useGestures(stage, zooming);

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const factor = { '+': STEP, '=': STEP, '-': 1 / STEP, '0': 1 / zoom }[event.key];
    if (factor === undefined) return;
    event.preventDefault();
    zoomBy(factor);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work on every element of the dialog.
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={press}>
      <div className="flex items-center gap-1 border-b border-hairline py-1 pr-1 pl-4 sm:pr-2 sm:pl-6">
        <h2
          id={titleId}
          lang={titleLanguage ?? ''}
          className="mr-auto line-clamp-2 font-serif text-lg leading-tight [overflow-wrap:anywhere]"
        >
          {title}
        </h2>
        <ViewerButton label={texts.smaller} isOff={zoom === 1} onPress={() => zoomBy(1 / STEP)}>
          <Minus aria-hidden="true" className="size-5" />
        </ViewerButton>
        <output className="w-14 text-center text-sm text-muted tabular-nums">
          {new Intl.NumberFormat(language, { style: 'percent' }).format(zoom)}
        </output>
        <ViewerButton label={texts.larger} isOff={zoom === MAX_ZOOM} onPress={() => zoomBy(STEP)}>
          <Plus aria-hidden="true" className="size-5" />
        </ViewerButton>
        <ViewerButton label={texts.close} onPress={onClose}>
          <X aria-hidden="true" className="size-5" />
        </ViewerButton>
      </div>
      {/* The stage takes the focus, so that the arrow keys move an enlarged artwork. */}
      <section
        ref={stage}
        aria-label={texts.artwork}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
        tabIndex={0}
        className="artwork-stage min-h-0 flex-1 focus-visible:-outline-offset-2"
      >
        <div ref={artwork} className="relative m-auto shrink-0">
          <ViewedImage {...artworkProps} zoom={zoom} />
          {over?.({ ...zooming, stage, artwork })}
        </div>
      </section>
    </div>
  );
}

/** Loads the artwork in the width that its zoom needs: larger ones only when they are asked for. */
function ViewedImage({
  image,
  alt,
  altLanguage,
  zoom,
}: Pick<ViewerContentProps, 'image' | 'alt' | 'altLanguage'> & { zoom: number }) {
  const { src, srcSet } = imageUrls(useStorageUrl(image.url), image.width);
  const { isBroken, watch } = useBroken(src);
  const [loadedRatio, setLoadedRatio] = useState(1);
  const ratio = image.width && image.height ? image.width / image.height : loadedRatio;
  const [ground] = useState(() => placeholderStyle(image));
  if (isBroken) return <BrokenImage alt={alt} lang={altLanguage} className="min-h-72" />;
  // Whole steps, so that a pinch does not load every width on its way.
  const width = `calc(${Math.ceil(zoom)} * min(100vw, ${ratio.toFixed(4)} * (100vh - 3.5rem)))`;
  return (
    <img
      {...watch}
      alt={alt}
      lang={altLanguage}
      draggable={false}
      decoding="async"
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
        naturalHeight > 0 && setLoadedRatio(naturalWidth / naturalHeight)
      }
      className={`staged-artwork ${groundClass(image, { isWhole: false })}`}
      style={{ ...ground, '--ratio': ratio, '--zoom': zoom } as CSSProperties}
      sizes={srcSet && width}
      srcSet={srcSet}
      src={src}
    />
  );
}

interface ViewerButtonProps {
  label: string;
  /** The key that does the same. */
  keys?: string;
  /** Whether a press would change nothing. The button keeps the focus. */
  isOff?: boolean;
  onPress(): void;
  children: ReactNode;
}

export function ViewerButton({ label, keys, isOff = false, onPress, children }: ViewerButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      aria-keyshortcuts={keys}
      aria-disabled={isOff || undefined}
      onClick={onPress}
      className="grid size-11 shrink-0 place-items-center rounded-xs border border-transparent transition-colors hover:text-accent focus-visible:-outline-offset-2 aria-disabled:opacity-40"
    >
      {children}
    </button>
  );
}
