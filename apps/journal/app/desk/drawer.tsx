import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useDeskMessages } from './use-desk.ts';

interface DrawerProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** Shows something beside the desk, over the whole height of the window. Escape closes it. */
export function Drawer({ title, onClose, children }: DrawerProps) {
  const texts = useDeskMessages().editor;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-full max-w-2xl overflow-y-auto border-l border-hairline bg-paper text-ink shadow-2xl backdrop:bg-black/45"
    >
      <header className="sticky top-0 z-10 flex items-center justify-between gap-4 border-b border-hairline bg-paper px-5 py-3 sm:px-8">
        <h2 id={titleId} className="font-serif text-2xl leading-tight tracking-[-0.01em]">
          {title}
        </h2>
        <button
          type="button"
          aria-label={texts.close}
          onClick={onClose}
          className="-mr-3 grid size-11 place-items-center rounded-xs hover:text-accent"
        >
          <X aria-hidden="true" className="size-5" />
        </button>
      </header>
      <div className="px-5 py-6 sm:px-8">{children}</div>
    </dialog>
  );
}
