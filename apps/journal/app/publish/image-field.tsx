import { FileImage, ImagePlus } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { ACCEPTED_FILES, checkImage, describeProblem, type ImageProblem } from '../images/image-file.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { FieldNote } from '../ui/field.tsx';
import { useObjectUrl } from '../ui/use-object-url.ts';
import { CropPreview, type PreviewSize } from './crop-preview.tsx';
import { dismissFailure, showFailure } from './publish-notices.tsx';

interface ImageFieldProps {
  id: string;
  image: File | null;
  /** The message about a missing or unusable image. */
  error: string | undefined;
  /** Whether a chosen file is being checked. */
  checking: boolean;
  disabled: boolean;
  onChoose(file: File): void;
}

/** Accepts an image from the file dialog or by drag and drop, and previews it. */
export function ImageField({ id, image, error, checking, disabled, onChoose }: ImageFieldProps) {
  const { m } = useLanguage();
  const texts = m.publish.image;
  const preview = useObjectUrl(image);
  const noteId = useId();
  const [isDraggedOver, setDraggedOver] = useState(false);
  const [loaded, setLoaded] = useState<PreviewSize & { src: string }>();
  const [unshown, setUnshown] = useState<string>();
  const isUnshown = preview !== undefined && unshown === preview;
  const size = loaded?.src === preview ? loaded : undefined;

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDraggedOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !disabled) onChoose(file);
  };

  return (
    <div className="grid grid-cols-1 content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {texts.label}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the file input is the first */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setDraggedOver(true);
        }}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={drop}
        data-over={isDraggedOver || undefined}
        className={`${preview ? 'aspect-[4/5] max-w-96' : 'aspect-[16/10] lg:aspect-[4/5]'} relative grid w-full place-items-center border border-dashed border-field bg-raised text-center transition-colors has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-3 has-[input:focus-visible]:outline-accent has-[[aria-invalid]]:border-accent data-over:border-accent data-over:bg-hairline`}
      >
        {preview && !isUnshown && (
          <img
            src={preview}
            alt={texts.preview}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setLoaded({ src: preview, width, height })
            }
            onError={() => setUnshown(preview)}
            className="cropped-artwork absolute inset-0 size-full bg-plate"
          />
        )}
        <div className="pointer-events-none z-10 grid justify-items-center gap-2 p-6">
          {isUnshown && image && (
            <span className="grid justify-items-center gap-3 pb-3 [overflow-wrap:anywhere]">
              <FileImage aria-hidden="true" strokeWidth={1.25} className="size-10 text-muted" />
              {image.name}
            </span>
          )}
          {!preview && <ImagePlus aria-hidden="true" strokeWidth={1.25} className="size-10 text-muted" />}
          <span
            className={
              preview
                ? `${buttonClass({ size: 'small' })} shadow-lg`
                : 'font-medium underline underline-offset-4'
            }
          >
            {checking ? texts.checking : preview ? texts.change : texts.choose}
          </span>
          {!preview && <span className="touch:hidden text-sm text-muted">{texts.drop}</span>}
        </div>
        <input
          id={id}
          type="file"
          accept={ACCEPTED_FILES}
          disabled={disabled}
          aria-describedby={noteId}
          aria-invalid={error ? true : undefined}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) onChoose(file);
            // Browsers report no change when the same file is chosen again, unless the field is empty.
            target.value = '';
          }}
          className="absolute inset-0 z-20 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
        />
      </div>
      {preview && size && <CropPreview src={preview} size={size} />}
      <FieldNote id={noteId} error={error} hint={isUnshown ? texts.noPreview : texts.hint} />
    </div>
  );
}

/** Checks a chosen file before it replaces the current image. */
export function useImageChooser(onChosen: (image: File) => void) {
  const texts = useLanguage().m.publish.image;
  const [problem, setProblem] = useState<{ kind: ImageProblem; bytes: number }>();
  const [checking, setChecking] = useState(false);
  const latest = useRef<File>(undefined);

  const choose = async (file: File) => {
    latest.current = file;
    setChecking(true);
    const kind = await checkImage(file);
    if (latest.current !== file) return;
    setChecking(false);
    setProblem(kind ? { kind, bytes: file.size } : undefined);
    if (kind) {
      showFailure({
        title: ({ m }) => m.publish.failure.title,
        description: ({ m }) => describeProblem(kind, file, m.publish.image),
      });
      return;
    }
    dismissFailure();
    onChosen(file);
  };
  return {
    choose,
    checking,
    problem: problem && describeProblem(problem.kind, { size: problem.bytes }, texts),
  };
}
