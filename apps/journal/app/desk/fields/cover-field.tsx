import { ImagePlus } from 'lucide-react';
import { useId, useState } from 'react';
import { resizedUrl } from '../../images/image-urls.ts';
import { useStorageUrl } from '../../images/responsive-image.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { FieldNote } from '../../ui/field.tsx';
import type { Cover } from '../document.ts';
import { coverOf } from '../document.ts';
import { useDeskMessages } from '../use-desk.ts';
import { ChooseFiles } from './choose-files.tsx';
import { FocalPoint } from './focal-point.tsx';
import { useUpload } from './use-upload.ts';

interface CoverFieldProps {
  cover: Cover | null;
  readOnly: boolean;
  /** Whether it is an error that there is no picture. */
  isChecked: boolean;
  onChange(cover: Cover): void;
}

/** Pixels of the variant in which the focal point is set. */
const SHOWN_WIDTH = 960;

/** Uploads the picture of a post, and sets the point that stays in sight. */
export function CoverField({ cover, readOnly, isChecked, onChange }: CoverFieldProps) {
  const texts = useDeskMessages().cover;
  const { m, language } = useLanguage();
  const noteId = useId();
  const src = useStorageUrl(cover?.url ?? '');
  /** Whether the picture was exchanged for one that the marks and the words may not be about. */
  const [isExchanged, setExchanged] = useState(false);
  const { upload, progress, problem } = useUpload((picture) => {
    setExchanged(Boolean(cover?.marks?.length || cover?.description));
    onChange(cover ? { ...cover, ...picture, focal: null } : { ...coverOf(picture) });
  });
  const error = isChecked && !cover && !problem ? m.publish.image.missing : undefined;
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  const words =
    progress !== undefined
      ? `${texts.uploading} ${percent.format(progress)}`
      : cover
        ? texts.change
        : texts.choose;
  return (
    <section className="grid gap-3">
      <h2 className="text-sm font-medium">{texts.heading}</h2>
      {cover ? (
        <FocalPoint
          src={resizedUrl(src, SHOWN_WIDTH)}
          focal={cover.focal}
          disabled={readOnly}
          onChange={(focal) => onChange({ ...cover, focal })}
        />
      ) : (
        <div className="grid aspect-[16/10] place-items-center border border-dashed border-field bg-raised">
          <ImagePlus aria-hidden="true" strokeWidth={1.25} className="size-10 text-muted" />
        </div>
      )}
      {!readOnly && (
        <ChooseFiles
          label={words}
          busy={progress !== undefined}
          faultId={error && noteId}
          onChoose={(files) => void upload(...files)}
        />
      )}
      <p role="alert" className="text-sm text-accent empty:hidden">
        {problem}
      </p>
      <p role="status" className="text-sm empty:hidden">
        {isExchanged && texts.exchanged}
      </p>
      <FieldNote id={noteId} error={error} />
    </section>
  );
}
