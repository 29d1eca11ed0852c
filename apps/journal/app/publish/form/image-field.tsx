import { CircleAlert, ImagePlus } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { IMAGE_TYPES } from '../../images/image-file.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { useObjectUrl } from '../../ui/use-object-url.ts';

export interface ImageFieldProps {
  id: string;
  image: File | null;
  /** What is wrong, in words. */
  error: string | undefined;
  /** A chosen file is being looked at. */
  checking: boolean;
  disabled: boolean;
  onChoose(file: File): void;
}

/** Takes an image by choosing or dropping it, and shows it. */
export function ImageField({ id, image, error, checking, disabled, onChoose }: ImageFieldProps) {
  const { m } = useLanguage();
  const texts = m.publish.image;
  const preview = useObjectUrl(image);
  const noteId = useId();
  const [over, setOver] = useState(false);

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !disabled) onChoose(file);
  };

  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {texts.label}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the file input is the first */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        data-over={over || undefined}
        className={`${preview ? 'aspect-[4/5] max-w-96' : 'aspect-[16/10] lg:aspect-[4/5]'} relative grid w-full place-items-center border border-dashed border-field bg-raised text-center transition-colors has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-3 has-[input:focus-visible]:outline-accent has-[[aria-invalid]]:border-accent data-over:border-accent data-over:bg-hairline`}
      >
        {preview && (
          <img src={preview} alt={texts.preview} className="absolute inset-0 size-full object-cover" />
        )}
        <div className="pointer-events-none z-10 grid justify-items-center gap-2 p-6">
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
          accept={IMAGE_TYPES.join(',')}
          disabled={disabled}
          aria-describedby={noteId}
          aria-invalid={error ? true : undefined}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) onChoose(file);
            // Choosing the same file again is a choice as well.
            target.value = '';
          }}
          className="absolute inset-0 z-20 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
        />
      </div>
      {error ? (
        <p id={noteId} className="flex items-start gap-1.5 text-sm text-accent">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      ) : (
        <p id={noteId} className="text-sm text-muted">
          {texts.hint}
        </p>
      )}
    </div>
  );
}
