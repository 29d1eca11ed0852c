import type { Ref } from 'react';
import { buttonClass } from '../ui/button-class.ts';
import { ACCEPTED_FILES } from './image-file.ts';

interface ChooseImageProps {
  ref?: Ref<HTMLInputElement>;
  /** The words on the button. */
  label: string;
  /** The name for screen readers. */
  name: string;
  /** The id of the field's hint or error. */
  noteId: string;
  isInvalid: boolean;
  disabled: boolean;
  onChoose(file: File): void;
}

/** Renders a button that opens the file dialog for an image. */
export function ChooseImage({ ref, label, name, noteId, isInvalid, disabled, onChoose }: ChooseImageProps) {
  return (
    <div
      className={`${buttonClass({ variant: 'outline', size: 'small' })} relative has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-3 has-[input:focus-visible]:outline-accent has-[input:hover]:border-ink has-[[aria-invalid]]:border-accent`}
    >
      <span aria-hidden="true">{label}</span>
      <input
        ref={ref}
        type="file"
        accept={ACCEPTED_FILES}
        aria-label={name}
        aria-describedby={noteId}
        aria-invalid={isInvalid || undefined}
        disabled={disabled}
        onChange={({ target }) => {
          const [picked] = target.files ?? [];
          if (picked) onChoose(picked);
          // Without this, choosing the same file again would not fire `change`.
          target.value = '';
        }}
        className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
    </div>
  );
}
