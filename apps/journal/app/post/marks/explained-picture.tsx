import { Pin, X } from 'lucide-react';
import { type CSSProperties, useRef, useState } from 'react';
import { fitImage, type ImageFrame } from '../../images/image-frame.ts';
import { type DisplayedImage, ResponsiveImage } from '../../images/responsive-image.tsx';
import type { ShownPicture } from '../present-post.ts';
import type { useViewerUrl } from '../viewer/use-viewer-url.ts';
import { useMarksMessages } from './load-marks-messages.ts';
import styles from './marks.css?url';
import { type NamedMark, nameMarks } from './name-marks.ts';
import { Overlay } from './overlay.tsx';
import { useMarkLinks } from './use-mark-links.ts';
import { usePinnedPlate } from './use-pinned-plate.ts';

/** The page's own code that marks need. It is handed over, so that it stays one file with the page that every post needs. */
export interface MarkParts {
  useViewerUrl: typeof useViewerUrl;
}

interface MarksProps {
  picture: ShownPicture;
  parts: MarkParts;
}

/** Pixels of the plate on phones, and of the one that is pinned. */
const OWN_WIDTHS: ImageFrame['widths'] = [['min(100vw, 38rem)']];
const PINNED_WIDTHS: ImageFrame['widths'] = [['min(100vw, 25rem)']];

export function useNamedMarks({ words }: Pick<ShownPicture, 'words'>): NamedMark[] {
  return nameMarks(words.marks ?? [], useMarksMessages());
}

interface FramedMarksProps {
  picture: ShownPicture;
  frame: ImageFrame;
  className: string;
}

/** Draws the marks over a picture in its frame. Where the picture's size is not known, its place in there is not, either. */
export function FramedMarks({ picture, frame, className }: FramedMarksProps) {
  const texts = useMarksMessages();
  const marks = useNamedMarks(picture);
  const { width, height, focal } = picture.image;
  if (!width || !height) return null;
  const fit = fitImage(frame, { width, height });
  const [across, down] = fit.isWhole ? [50, 50] : (focal ?? [50, 50]);
  const style = {
    '--ratio': width / height,
    '--left': `${(1 - fit.width) * across}%`,
    '--top': `${(1 - fit.height) * down}%`,
    '--width': `${fit.width * 100}%`,
    '--height': `${fit.height * 100}%`,
  } as CSSProperties;
  return <Overlay marks={marks} label={texts.plate} className={`framed-marks ${className}`} style={style} />;
}

/** Shows what explains the artwork: its marks, if it has some, and the long description. */
export function PlateMarks(props: MarksProps) {
  const { words } = props.picture;
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="marks" />
      {(words.marks ?? []).length > 0 && <MarkedPlate {...props} />}
      <Description id="artwork-description" words={words} />
    </>
  );
}

/** Shows below a further picture what explains it. */
export function PictureMarks({ number, ...props }: MarksProps & { number: number }) {
  const { words } = props.picture;
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="marks" />
      {(words.marks ?? []).length > 0 && <PictureLegend {...props} />}
      <Description id={`artwork-${number}-description`} words={words} />
    </>
  );
}

function PictureLegend({ picture, parts }: MarksProps) {
  const marks = useNamedMarks(picture);
  useMarkLinks(parts.useViewerUrl(), marks);
  return (
    <div className="plate-legend">
      <Legend marks={marks} />
    </div>
  );
}

/** Shows the legend, on phones below the plate in its own ratio, and the plate that is pinned. */
function MarkedPlate(props: MarksProps) {
  const { picture, parts } = props;
  const texts = useMarksMessages();
  const marks = useNamedMarks(picture);
  const [isPinned, setPinned] = useState(false);
  const pin = useRef<HTMLButtonElement>(null);
  useMarkLinks(parts.useViewerUrl(), marks);
  const plate = { image: picture.image, marks, label: texts.plate };
  return (
    <>
      {isPinned && (
        <PinnedPlate
          {...plate}
          onPutAway={() => {
            setPinned(false);
            pin.current?.focus({ preventScroll: true });
          }}
        />
      )}
      <div className="own-plate">
        <Plate {...plate} widths={OWN_WIDTHS} />
      </div>
      <section aria-label={texts.legend} className="plate-legend">
        <div className="legend-head">
          <h2 className="small-caps-label">{texts.legend}</h2>
          <button
            ref={pin}
            type="button"
            aria-pressed={isPinned}
            onClick={() => setPinned(!isPinned)}
            className="pin-button"
          >
            <Pin aria-hidden="true" className="size-4" />
            {texts.pin}
          </button>
        </div>
        <Legend marks={marks} />
      </section>
    </>
  );
}

function Legend({ marks }: { marks: readonly NamedMark[] }) {
  const texts = useMarksMessages();
  return (
    <ol>
      {marks.map(({ letter, note, noteLanguage, words, passage }) => (
        <li key={letter} id={`mark-${letter}`} data-mark={letter} tabIndex={-1}>
          {passage ? (
            <a href={`#passage-${letter}`} aria-label={texts.toPassage(letter)} className="legend-letter">
              {letter}
            </a>
          ) : (
            <span className="legend-letter">{letter}</span>
          )}
          <span lang={note ? noteLanguage : undefined} dir="auto">
            {words}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Description({ words, id }: { words: ShownPicture['words']; id: string }) {
  const texts = useMarksMessages();
  const { description, descriptionLanguage } = words;
  if (!description) return null;
  return (
    <details id={id} className="plate-description">
      <summary>{texts.description}</summary>
      <p lang={descriptionLanguage} dir="auto">
        {description}
      </p>
    </details>
  );
}

interface PlateProps {
  image: DisplayedImage;
  marks: readonly NamedMark[];
  label: string;
}

/** Shows a plate in its own ratio with its marks. What it shows is said beside the large one. */
function Plate({ image, marks, label, widths }: PlateProps & Pick<ImageFrame, 'widths'>) {
  const ratio = image.width && image.height ? image.width / image.height : 1;
  return (
    <>
      <ResponsiveImage
        source={image}
        frame={{ ratio, maxCrop: 1, widths }}
        alt=""
        loading="later"
        className="block w-full"
        style={{ aspectRatio: ratio }}
      />
      <Overlay marks={marks} label={label} />
    </>
  );
}

/** Keeps the plate beside the text, where it moves to the marks of the paragraph that is being read. */
function PinnedPlate({ onPutAway, ...plate }: PlateProps & { onPutAway(): void }) {
  const texts = useMarksMessages();
  const stage = usePinnedPlate(plate.marks);
  const { width, height } = plate.image;
  return (
    <aside aria-label={plate.label} className="pinned-plate">
      <div
        ref={stage}
        className="pinned-stage"
        style={{ '--ratio': width && height ? width / height : 1 } as CSSProperties}
      >
        <div className="pinned-artwork">
          <Plate {...plate} widths={PINNED_WIDTHS} />
        </div>
      </div>
      <button type="button" aria-label={texts.putAway} title={texts.putAway} onClick={onPutAway}>
        <X aria-hidden="true" className="size-5" />
      </button>
    </aside>
  );
}
