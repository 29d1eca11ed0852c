import type { ReactNode } from 'react';

export type NoticeTone = 'default' | 'success' | 'info' | 'warning' | 'error' | 'loading';

export interface NoticeAction {
  label: ReactNode;
  onClick(): void;
}

export interface ToastOptions {
  /** A notice replaces the one that is shown with the same id. */
  id?: string;
  description?: ReactNode;
  /** Milliseconds that the notice stays, if not those of its area. */
  duration?: number;
  action?: NoticeAction;
}

/** The texts may be of components, which are shown within the page's providers and so follow its language. */
export interface Notice extends ToastOptions {
  title: ReactNode;
  tone?: NoticeTone;
}

export interface ShownNotice extends Notice {
  /** A notice with another key is announced anew, and has its whole time. */
  key: number;
  open: boolean;
}

/** Milliseconds before a closed notice is removed from memory (docs/spec/product.md section 9). */
const REMOVAL_DELAY_MS = 1_000_000;

/** Holds the notices of an area, the newest first; components can subscribe to it. */
export interface NoticeList {
  show(notice: Notice): void;
  close(key: number): void;
  /** Removes the notice with this id. */
  dismiss(id: string): void;
  subscribe(listener: () => void): () => void;
  getNotices(): readonly ShownNotice[];
}

/** Creates the list of an area that shows so many notices at a time. */
export function createNoticeList(limit: number): NoticeList {
  const listeners = new Set<() => void>();
  let notices: readonly ShownNotice[] = [];
  let lastKey = 0;
  const set = (next: readonly ShownNotice[]) => {
    notices = next;
    for (const listener of listeners) listener();
  };
  return {
    show(notice) {
      lastKey += 1;
      const replaced = notices.find(({ id, open }) => open && id !== undefined && id === notice.id);
      const isProgress = replaced?.tone === 'loading' && notice.tone === 'loading';
      const others = notices.filter((other) => other.open && other !== replaced);
      const key = isProgress ? replaced.key : lastKey;
      set([{ ...notice, key, open: true }, ...others].slice(0, limit));
    },
    close(key) {
      set(notices.map((notice) => (notice.key === key ? { ...notice, open: false } : notice)));
      setTimeout(() => set(notices.filter((notice) => notice.key !== key)), REMOVAL_DELAY_MS);
    },
    dismiss(id) {
      set(notices.filter((notice) => notice.id !== id));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getNotices: () => notices,
  };
}

/** The lists of this document's areas, with the notices at a time that they show (docs/spec/product.md section 9). */
export const noticeLists = { 'top-center': createNoticeList(1), 'top-right': createNoticeList(3) };

/** Shows a notice in the first area in place of the one before. */
export const notify = noticeLists['top-center'].show;

const { show, dismiss } = noticeLists['top-right'];

/** Shows notices in the second area. An error interrupts a screen reader; all else waits for a pause. */
export const toast = {
  success: (title: ReactNode, options?: ToastOptions) => show({ ...options, title, tone: 'success' }),
  info: (title: ReactNode, options?: ToastOptions) => show({ ...options, title, tone: 'info' }),
  warning: (title: ReactNode, options?: ToastOptions) => show({ ...options, title, tone: 'warning' }),
  loading: (title: ReactNode, options?: ToastOptions) => show({ ...options, title, tone: 'loading' }),
  message: (title: ReactNode, options?: ToastOptions) => show({ ...options, title }),
  error: (title: ReactNode, options?: ToastOptions) => show({ ...options, title, tone: 'error' }),
  dismiss,
};
