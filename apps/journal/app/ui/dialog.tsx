import { type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  description: string;
  /** `alertdialog` for an action that cannot be undone. */
  role?: 'dialog' | 'alertdialog';
  /** Receives the focus afterwards if the element that opened the dialog is gone. */
  fallback?: { readonly current: HTMLElement | null };
  /** The buttons; the first one has the focus when the dialog opens. */
  children: ReactNode;
}

/** Asks a question in the middle of the page. Escape and a press outside close it. */
export function Dialog({ open, ...question }: DialogProps) {
  return open ? <Question {...question} /> : null;
}

/** Renders an open dialog. The browser keeps the focus in it and the page behind it still. */
function Question({
  onOpenChange,
  title,
  description,
  role = 'dialog',
  fallback,
  children,
}: Omit<DialogProps, 'open'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element>(null);
  const titleId = useId();
  const descriptionId = useId();
  // Before it is seen: Escape closes no dialog that is not open yet.
  useLayoutEffect(() => {
    opener.current ??= document.activeElement;
    dialog.current?.showModal();
  }, []);
  // Behind the removal of the dialog: until then nothing else can have the focus.
  useEffect(
    () => () => {
      const back = opener.current?.isConnected ? opener.current : fallback?.current;
      if (back instanceof HTMLElement) back.focus();
    },
    [fallback],
  );
  const pressed = ({ target, currentTarget, clientX, clientY }: MouseEvent) => {
    const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
    const isOutside = clientX < left || clientX > right || clientY < top || clientY > bottom;
    if (target === currentTarget && isOutside) onOpenChange(false);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape cancels a dialog.
    <dialog
      ref={dialog}
      role={role}
      aria-modal="true"
      aria-labelledby={titleId}
      aria-describedby={descriptionId}
      onClick={pressed}
      onCancel={(event) => {
        event.preventDefault();
        onOpenChange(false);
      }}
      className="fixed inset-0 m-auto grid h-fit max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md gap-3 overflow-y-auto rounded-xs border border-hairline bg-raised p-6 text-base text-ink shadow-2xl backdrop:bg-black/55 backdrop:backdrop-blur-[2px] sm:p-8"
    >
      <h2 id={titleId} className="font-serif text-2xl leading-tight tracking-[-0.01em]">
        {title}
      </h2>
      <p id={descriptionId} className="text-muted leading-relaxed">
        {description}
      </p>
      <div className="mt-4 flex flex-wrap justify-end gap-3">{children}</div>
    </dialog>
  );
}
