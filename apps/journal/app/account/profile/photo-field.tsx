import { UserRound } from 'lucide-react';
import { useId, useRef } from 'react';
import { ChooseImage } from '../../images/choose-image.tsx';
import { resizedUrl } from '../../images/image-urls.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { FieldNote } from '../../ui/field.tsx';
import { useObjectUrl } from '../../ui/use-object-url.ts';

export interface PhotoFieldProps {
  /** The photo that was chosen, if any. */
  file: File | null;
  /** The URL of the account's photo. */
  src: string | undefined;
  /** Whether there is a photo to remove. It may be one that cannot be shown. */
  removable: boolean;
  /** The text of a validation error. */
  error: string | undefined;
  /** Whether a chosen file is being checked. */
  checking: boolean;
  disabled: boolean;
  onChoose(file: File): void;
  onRemove(): void;
}

/** Shows the photo as it will be saved, with buttons to change or remove it. */
export function PhotoField(props: PhotoFieldProps) {
  const { file, src, removable, error, checking, disabled, onChoose, onRemove } = props;
  const { m } = useLanguage();
  const texts = m.account.profile;
  const input = useRef<HTMLInputElement>(null);
  const chosen = useObjectUrl(file);
  const noteId = useId();
  const choice = removable ? texts.changePhoto : texts.choosePhoto;
  const remove = () => {
    onRemove();
    input.current?.focus();
  };

  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{texts.photo}</legend>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Portrait src={chosen ?? src} label={chosen ? texts.photoPreview : texts.yourPhoto} />
        <div className="flex flex-wrap gap-x-2 gap-y-2">
          <ChooseImage
            ref={input}
            label={checking ? m.publish.image.checking : choice}
            name={choice}
            noteId={noteId}
            isInvalid={error !== undefined}
            disabled={disabled}
            onChoose={onChoose}
          />
          {removable && (
            <Button variant="quiet" size="small" disabled={disabled} onClick={remove}>
              {texts.removePhoto}
            </Button>
          )}
        </div>
      </div>
      <FieldNote id={noteId} error={error} hint={texts.photoHint} isAlert />
    </fieldset>
  );
}

/** Enough pixels for 80 CSS pixels on the densest screens. */
const PORTRAIT_PIXELS = 320;

function Portrait({ src, label }: { src: string | undefined; label: string }) {
  return (
    <div className="grid size-20 shrink-0 place-items-center overflow-hidden rounded-full border border-hairline bg-raised">
      {src ? (
        <img
          alt={label}
          width={80}
          height={80}
          className="size-full object-cover"
          src={resizedUrl(src, PORTRAIT_PIXELS)}
        />
      ) : (
        <UserRound aria-hidden="true" strokeWidth={1.25} className="size-9 text-muted" />
      )}
    </div>
  );
}
