import { ACCEPTED_FILES } from '../../images/image-file.ts';
import { buttonClass } from '../../ui/button-class.ts';

interface ChooseFilesProps {
  label: string;
  /** Whether files that were chosen before are still on their way. No others can be chosen then. */
  busy: boolean;
  multiple?: boolean;
  /** The id of the element that says what is wrong while no file is chosen. */
  faultId?: string | undefined;
  onChoose(files: File[]): void;
}

/** A button that opens the file dialog for pictures. It keeps the focus of the keyboard while it is busy. */
export function ChooseFiles({ label, busy, multiple = false, faultId, onChoose }: ChooseFilesProps) {
  return (
    <label
      className={`${buttonClass({ variant: 'outline', size: 'small' })} w-fit cursor-pointer has-aria-disabled:cursor-progress has-aria-disabled:opacity-60 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-3 has-[input:focus-visible]:outline-accent`}
    >
      {label}
      <input
        type="file"
        accept={ACCEPTED_FILES}
        multiple={multiple}
        aria-disabled={busy || undefined}
        aria-invalid={faultId ? true : undefined}
        aria-describedby={faultId}
        className="sr-only"
        onClick={(event) => busy && event.preventDefault()}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Browsers report no change when the same file is chosen again, unless the field is empty.
          target.value = '';
          if (!busy) onChoose(files);
        }}
      />
    </label>
  );
}
