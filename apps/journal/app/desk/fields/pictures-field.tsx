import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import type { Language } from '../../../project/languages.ts';
import { lettersOf } from '../../../project/marks.ts';
import { resizedUrl } from '../../images/image-urls.ts';
import { useStorageUrl } from '../../images/responsive-image.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { type Cover, coverOf, type DeskDocument } from '../document.ts';
import { useDeskMessages } from '../use-desk.ts';
import { ChooseFiles } from './choose-files.tsx';
import { CoverDetails } from './cover-details.tsx';
import { MarksField, type MarksFieldProps } from './marks-field.tsx';
import { useUpload } from './use-upload.ts';

interface PicturesFieldProps {
  cover: Cover | null;
  pictures: DeskDocument['pictures'];
  /** The text of the post, see `MarksFieldProps`. */
  text: string;
  /** The language of the post's original. */
  language: Language | null;
  /** Whether descriptions can be proposed. */
  canDescribe: boolean;
  readOnly: boolean;
  onChange(changes: Partial<Pick<DeskDocument, 'cover' | 'pictures'>>): void;
}

/** Pixels of the variant that stands in the list. */
const LISTED_WIDTH = 320;

/** Edits the pictures of a post beside its cover: their order, their words, and which one is the cover. */
export function PicturesField({
  cover,
  pictures,
  text,
  language,
  canDescribe,
  readOnly,
  onChange,
}: PicturesFieldProps) {
  const messages = useDeskMessages();
  const texts = messages.pictures;
  const isFull = pictures.length >= DOCUMENT_LIMITS.pictures;
  const { upload, progress, problem } = useUpload((picture) =>
    onChange({ pictures: [...pictures, coverOf(picture)] }),
  );
  /** Whether some of the files that were chosen last were left out. */
  const [isTooMany, setTooMany] = useState(false);
  const replace = (at: number, ...others: Cover[]) => pictures.toSpliced(at, 1, ...others);
  const move = (at: number, to: number) => {
    const moved = pictures[at];
    if (moved) onChange({ pictures: replace(at).toSpliced(to, 0, moved) });
  };
  if (readOnly && pictures.length === 0) return null;
  return (
    <section aria-labelledby="further-pictures" className="grid gap-3">
      <div className="grid gap-1">
        <h2 id="further-pictures" className="text-sm font-medium">
          {texts.heading}
        </h2>
        <p className="text-sm text-muted">{isFull ? texts.limit(DOCUMENT_LIMITS.pictures) : texts.hint}</p>
      </div>
      {pictures.length > 0 && (
        <ol className="border-t border-hairline">
          {pictures.map((picture, at) => (
            <li key={picture.url} className="grid gap-2 border-b border-hairline py-3">
              <ListedPicture
                picture={picture}
                number={at + 2}
                text={text}
                taken={new Set(lettersOf([cover, ...pictures.toSpliced(at, 1)]))}
                language={language}
                canDescribe={canDescribe}
                readOnly={readOnly}
                onMakeCover={() =>
                  onChange({ cover: picture, pictures: cover ? replace(at, cover) : replace(at) })
                }
                onUp={at > 0 ? () => move(at, at - 1) : undefined}
                onDown={at < pictures.length - 1 ? () => move(at, at + 1) : undefined}
                onRemove={() => onChange({ pictures: replace(at) })}
                onChange={(changes) => onChange({ pictures: replace(at, { ...picture, ...changes }) })}
              />
            </li>
          ))}
        </ol>
      )}
      {!readOnly && !isFull && (
        <ChooseFiles
          label={progress === undefined ? texts.add : messages.cover.uploading}
          busy={progress !== undefined}
          multiple
          onChoose={(files) => {
            const room = DOCUMENT_LIMITS.pictures - pictures.length;
            setTooMany(files.length > room);
            void upload(...files.slice(0, room));
          }}
        />
      )}
      <p role="alert" className="text-sm text-accent empty:hidden">
        {[problem, isTooMany && texts.limit(DOCUMENT_LIMITS.pictures)].filter(Boolean).join(' ')}
      </p>
    </section>
  );
}

interface ListedPictureProps extends Pick<MarksFieldProps, 'text' | 'taken'> {
  picture: Cover;
  /** The place among all pictures, of which the cover is the first. */
  number: number;
  language: Language | null;
  canDescribe: boolean;
  readOnly: boolean;
  onMakeCover(): void;
  /** Absent for the first, and for the last one. */
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onRemove(): void;
  onChange(changes: Partial<Cover>): void;
}

function ListedPicture({
  picture,
  number,
  language,
  canDescribe,
  readOnly,
  text,
  taken,
  ...act
}: ListedPictureProps) {
  const { pictures: texts, fields } = useDeskMessages();
  const { language: shown } = useLanguage();
  const [areMarksOpen, setMarksOpen] = useState(false);
  const src = resizedUrl(useStorageUrl(picture.url), LISTED_WIDTH);
  const name = texts.numbered(number);
  const tools = [
    { label: texts.up, Icon: ArrowUp, onClick: act.onUp },
    { label: texts.down, Icon: ArrowDown, onClick: act.onDown },
    { label: texts.remove, Icon: Trash2, onClick: act.onRemove },
  ];
  return (
    <>
      <div className="flex items-center gap-3">
        <img src={src} alt="" className="size-20 shrink-0 bg-plate object-cover" />
        <div className="grid min-w-0 gap-1">
          <p className="text-sm">{name}</p>
          {!readOnly && (
            <div className="flex flex-wrap gap-x-1">
              <Button variant="quiet" size="small" className="-ml-3" onClick={act.onMakeCover}>
                {texts.makeCover}
              </Button>
              <div className="flex">
                {tools.map(({ label, Icon, onClick }) => (
                  <button
                    key={label}
                    type="button"
                    aria-label={`${label}: ${name}`}
                    title={label}
                    aria-disabled={onClick ? undefined : true}
                    onClick={onClick}
                    className="grid size-11 place-items-center hover:text-accent aria-disabled:opacity-40"
                  >
                    <Icon aria-hidden="true" className="size-4" />
                  </button>
                ))}
              </div>
            </div>
          )}
        </div>
      </div>
      <details>
        <summary className="flex min-h-11 items-center text-sm underline underline-offset-4 hover:text-accent">
          {texts.words}
        </summary>
        <div className="pt-3">
          <CoverDetails
            words={picture}
            language={language}
            described={canDescribe ? picture.url : undefined}
            readOnly={readOnly}
            onChange={act.onChange}
          />
        </div>
      </details>
      <details onToggle={({ currentTarget }) => setMarksOpen(currentTarget.open)}>
        <summary className="flex min-h-11 items-center text-sm underline underline-offset-4 hover:text-accent">
          {fields.marks}
        </summary>
        {areMarksOpen && (
          <div className="pt-3">
            <MarksField
              {...{ text, taken, readOnly }}
              src={picture.url}
              marks={picture.marks ?? []}
              language={language ?? shown}
              onChange={(marks) => act.onChange({ marks })}
            />
          </div>
        )}
      </details>
    </>
  );
}
