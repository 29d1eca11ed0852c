export interface NoticeContent {
  title: string;
  description?: string;
  tone?: 'default' | 'destructive' | 'success';
}

export interface Notice extends NoticeContent {
  id: number;
  open: boolean;
}

/** One at a time, and gone from memory a million milliseconds after it was closed (docs/spec/product.md section 9). */
const LIMIT = 1;
const REMOVAL_DELAY_MS = 1_000_000;

/** The notices of the first area, as something that a component can subscribe to. */
export interface NoticeList {
  notify(content: NoticeContent): void;
  close(id: number): void;
  subscribe(listener: () => void): () => void;
  getNotices(): readonly Notice[];
}

export function createNoticeList(): NoticeList {
  const listeners = new Set<() => void>();
  let notices: readonly Notice[] = [];
  let lastId = 0;
  const set = (next: readonly Notice[]) => {
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

/** The page's own list: there is one such area in a document. */
export const noticeList = createNoticeList();

/** Shows a notice in the first area (top centre); the one that was there gives way. */
export const notify = noticeList.notify;
