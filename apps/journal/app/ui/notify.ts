import type { ReactNode } from 'react';

/** The texts may be of components, which are shown within the page's providers and so follow its language. */
export interface NoticeContent {
  title: ReactNode;
  description?: ReactNode;
  tone?: 'default' | 'destructive' | 'success';
}

export interface DisplayedNotice extends NoticeContent {
  id: number;
  open: boolean;
}

/** Notices at a time (docs/spec/product.md section 9). */
const LIMIT = 1;
/** Milliseconds before a closed notice is removed from memory (docs/spec/product.md section 9). */
const REMOVAL_DELAY_MS = 1_000_000;

/** Holds the notices of the first area; components can subscribe to it. */
export interface NoticeList {
  notify(content: NoticeContent): void;
  close(id: number): void;
  subscribe(listener: () => void): () => void;
  getNotices(): readonly DisplayedNotice[];
}

export function createNoticeList(): NoticeList {
  const listeners = new Set<() => void>();
  let notices: readonly DisplayedNotice[] = [];
  let lastId = 0;
  const set = (next: readonly DisplayedNotice[]) => {
    notices = next;
    for (const listener of listeners) listener();
  };
  return {
    notify(content) {
      lastId += 1;
      set([{ ...content, id: lastId, open: true }, ...notices].slice(0, LIMIT));
    },
    close(id) {
      set(notices.map((notice) => (notice.id === id ? { ...notice, open: false } : notice)));
      setTimeout(() => set(notices.filter((notice) => notice.id !== id)), REMOVAL_DELAY_MS);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getNotices: () => notices,
  };
}

/** The list of this document, which has one such area. */
export const noticeList = createNoticeList();

/** Shows a notice in the first area (top centre) in place of the one before. */
export const notify = noticeList.notify;
