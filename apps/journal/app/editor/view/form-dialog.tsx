import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/button.tsx';

interface FormDialogProps {
  title: string;
  /** The words of the button that applies the form; without them, there is only one that closes it. */
  save?: string | undefined;
  close: string;
  /** Called with the form's fields. The dialog stays open until it is closed. */
  onSave?(fields: FormData): void;
  onClose(): void;
  wide?: boolean;
  children: ReactNode;
}

/** A small form in the middle of the page. Escape closes it; the focus returns to the text. */
export function FormDialog({ title, save, close, onSave, onClose, wide = false, children }: FormDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The page's own form, which the editor may stand in, is not sent.
    event.stopPropagation();
    onSave?.(new FormData(event.currentTarget));
  };
  return (
    <dialog
      ref={dialog}
      aria-modal="true"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={`${wide ? 'max-w-2xl' : 'max-w-md'} fixed inset-0 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-y-auto rounded-xs border border-hairline bg-raised p-6 text-base text-ink shadow-2xl backdrop:bg-black/55 sm:p-8`}
    >
      <form method="dialog" noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
        <h2 id={titleId} className="font-serif text-2xl leading-tight tracking-[-0.01em]">
          {title}
        </h2>
        {children}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={onClose}>
            {close}
          </Button>
          {save && <Button type="submit">{save}</Button>}
        </div>
      </form>
    </dialog>
  );
}

export function fieldOf(fields: FormData, name: string): string {
  return String(fields.get(name) ?? '').trim();
}
