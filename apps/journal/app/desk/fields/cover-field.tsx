import { ImagePlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import { ACCEPTED_FILES, checkImage, describeProblem } from '../../images/image-file.ts';
import { resizedUrl } from '../../images/image-urls.ts';
import { useStorageUrl } from '../../images/responsive-image.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import type { Checkpoint } from '../../publish/draft/checkpoint.ts';
import {
  NotAnImageError,
  UnconvertedImageError,
  uploadImage,
} from '../../publish/publishing/upload-image.ts';
import { buttonClass } from '../../ui/button-class.ts';
import type { Cover } from '../document.ts';
import { coverOf } from '../document.ts';
import { useDeskMessages } from '../use-desk.ts';
import { FocalPoint } from './focal-point.tsx';

export interface CoverFieldProps {
  cover: Cover | null;
  readOnly: boolean;
  onChange(cover: Cover): void;
}

/** Pixels of the variant in which the focal point is set. */
const SHOWN_WIDTH = 960;

/** Uploads the picture of a post, and sets the point that stays in sight. */
export function CoverField({ cover, readOnly, onChange }: CoverFieldProps) {
  const texts = useDeskMessages().cover;
  const { language } = useLanguage();
  const src = useStorageUrl(cover?.url ?? '');
  const { upload, progress, problem } = useUpload((picture) =>
    onChange(cover ? { ...cover, ...picture, focal: null } : { ...coverOf(picture) }),
  );
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
        <label
          className={`${buttonClass({ variant: 'outline', size: 'small' })} w-fit cursor-pointer has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-3 has-[input:focus-visible]:outline-accent`}
        >
          {words}
          <input
            type="file"
            accept={ACCEPTED_FILES}
            disabled={progress !== undefined}
            className="sr-only"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void upload(file);
              // Browsers report no change when the same file is chosen again, unless the field is empty.
              target.value = '';
            }}
          />
        </label>
      )}
      <p role="alert" className="text-sm text-accent empty:hidden">
        {problem}
      </p>
    </section>
  );
}

/** Returns a function that checks and uploads a picture, with its progress from 0 to 1 and what went wrong. */
function useUpload(onUploaded: (picture: Pick<Cover, 'url' | 'width' | 'height' | 'placeholder'>) => void) {
  const { storage } = useClient();
  const { m } = useLanguage();
  const texts = useDeskMessages().cover;
  const page = useRouteLoaderData<{ publicUrl: string; storageOrigin: string }>('root');
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState('');
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  const upload = async (file: File) => {
    setProblem('');
    const image = m.publish.image;
    const fault = await checkImage(file);
    if (fault) return setProblem(describeProblem(fault, file, image));
    setProgress(0);
    let checkpoint: Checkpoint = {};
    try {
      const {
        url,
        width = null,
        height = null,
        placeholder = null,
      } = await uploadImage(file, {
        storage,
        origins: [window.location.origin, page?.publicUrl ?? '', page?.storageOrigin ?? ''],
        checkpoint: {
          id: 'desk',
          read: () => checkpoint,
          write: (next) => {
            checkpoint = next;
          },
        },
        signal: new AbortController().signal,
        onProgress: setProgress,
      });
      uploaded.current({ url, width, height, placeholder });
    } catch (error) {
      if (error instanceof NotAnImageError) setProblem(image.notAnImage);
      else setProblem(error instanceof UnconvertedImageError ? image.unconverted : texts.failed);
    } finally {
      setProgress(undefined);
    }
  };
  return { upload, progress, problem };
}
