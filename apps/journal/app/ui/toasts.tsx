import type { ReactNode } from 'react';
import type { ExternalToast, toast as Sonner } from 'sonner';

export interface ToastOptions extends Pick<ExternalToast, 'id' | 'description' | 'duration' | 'action'> {}

type Show = (sonner: typeof Sonner) => void;

let sonner: typeof Sonner | undefined;
let waiting: readonly Show[] = [];
const listeners = new Set<() => void>();

/** Notices wait here until the code of their area is loaded. */
export const waitingToasts = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  any: () => waiting.length > 0,
  /** Shows those that wait, and all later ones at once. The area calls this when it is on the page. */
  release(library: typeof Sonner): void {
    sonner = library;
    for (const show of waiting) show(library);
    waiting = [];
  },
};

function show(act: Show): void {
  if (sonner) {
    act(sonner);
    return;
  }
  waiting = [...waiting, act];
  for (const listener of listeners) listener();
}

/**
 * Shows notices in the second area (top right). An error interrupts a screen reader; all else waits for a pause. The texts may be
 * of components, which are shown within the page's providers and so follow its language.
 */
export const toast = {
  success: (title: ReactNode, options?: ToastOptions) => show((area) => area.success(title, options)),
  info: (title: ReactNode, options?: ToastOptions) => show((area) => area.info(title, options)),
  warning: (title: ReactNode, options?: ToastOptions) => show((area) => area.warning(title, options)),
  loading: (title: ReactNode, options?: ToastOptions) => show((area) => area.loading(title, options)),
  message: (title: ReactNode, options?: ToastOptions) => show((area) => area.message(title, options)),
  error(title: ReactNode, { description, ...options }: ToastOptions = {}) {
    show((area) =>
      area.error(
        <span role="alert" className="grid gap-0.5">
          <span>{title}</span>
          {description && <span className="font-normal text-ink empty:hidden">{asNode(description)}</span>}
        </span>,
        options,
      ),
    );
  },
  dismiss: (id: string) => show((area) => area.dismiss(id)),
};

const asNode = (content: ToastOptions['description']) =>
  typeof content === 'function' ? content() : content;

/** Shows one notice at a time of a kind, such as the failure of the last attempt. */
export interface ToastSlot {
  /** Returns the options of the notice that is shown next: while one is shown, it is replaced in place. */
  next(): { id: string };
  /** Removes the notice that is shown. */
  clear(): void;
}

/**
 * Creates a slot. A notice that is dismissed leaves a moment later and takes everything with its id along, so each
 * notice after a dismissal has an id of its own.
 */
export function createToastSlot(name: string): ToastSlot {
  let count = 0;
  let isShown = false;
  const id = () => `${name}-${count}`;
  return {
    next() {
      isShown = true;
      return { id: id() };
    },
    clear() {
      if (!isShown) return;
      toast.dismiss(id());
      isShown = false;
      count += 1;
    },
  };
}
