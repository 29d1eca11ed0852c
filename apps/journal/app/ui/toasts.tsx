import { type ExternalToast, toast as sonner } from 'sonner';

export interface ToastOptions extends Pick<ExternalToast, 'id' | 'description' | 'duration' | 'action'> {}

/** Shows notices in the second area (top right). An error interrupts a screen reader; all else waits for a pause. */
export const toast = {
  success: sonner.success,
  info: sonner.info,
  warning: sonner.warning,
  loading: sonner.loading,
  message: sonner.message,
  error(title: string, { description, ...options }: ToastOptions = {}) {
    return sonner.error(
      <span role="alert" className="grid gap-0.5">
        <span>{title}</span>
        {description && <span className="font-normal text-ink">{asNode(description)}</span>}
      </span>,
      options,
    );
  },
  dismiss: sonner.dismiss,
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
      sonner.dismiss(id());
      isShown = false;
      count += 1;
    },
  };
}
