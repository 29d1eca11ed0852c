import type { Achieved, AchievedStore } from './checkpoint.ts';

export interface DraftTexts {
  title: string;
  content: string;
}

/** A draft but for its image. */
export interface KeptDraft extends DraftTexts {
  achieved: Achieved;
}

/** One author's draft, kept on this device: texts in local storage, the image in IndexedDB. */
export interface DraftStore extends AchievedStore {
  /** The same object until it changes. */
  getDraft(): KeptDraft;
  /** Told of every change, also of those that another tab makes. */
  subscribe(listener: () => void): () => void;
  writeTexts(texts: Partial<DraftTexts>): void;
  /** Null when there is none, or the browser keeps none for us. */
  readImage(): Promise<File | null>;
  writeImage(image: File): Promise<void>;
  clear(): Promise<void>;
}

/** What a draft is before anything was written, and after it was cleared in whichever tab. */
export const EMPTY_DRAFT: KeptDraft = { title: '', content: '', achieved: {} };
const DATABASE = 'fabrica';
const IMAGES = 'draft-images';

/** The draft of one author: whoever signs in next on the same device does not see it. */
export function createDraftStore(authorId: string): DraftStore {
  const key = `fabrica_draft_${authorId}`;
  const listeners = new Set<() => void>();
  // Where storage is closed or full, this copy at least serves until the page is left.
  let kept = readKept(key);
  const show = (next: KeptDraft) => {
    kept = next;
    for (const listener of listeners) listener();
  };
  const keep = (changes: Partial<KeptDraft>) => {
    const next = { ...kept, ...changes };
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // It stays in the copy.
    }
    show(next);
  };
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) show(readKept(key));
  });
  return {
    getDraft: () => kept,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    writeTexts: keep,
    read: () => kept.achieved,
    write: (achieved) => keep({ achieved }),
    async readImage() {
      const image = await inImages('readonly', async (images) => settle(images.get(authorId)));
      return image instanceof File ? image : null;
    },
    async writeImage(image) {
      await inImages('readwrite', async (images) => settle(images.put(image, authorId)));
    },
    async clear() {
      try {
        localStorage.removeItem(key);
      } finally {
        show(EMPTY_DRAFT);
        await inImages('readwrite', async (images) => settle(images.delete(authorId)));
      }
    },
  };
}

function readKept(key: string): KeptDraft {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof kept === 'object' && kept ? { ...EMPTY_DRAFT, ...kept } : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Does one thing with the images' store; undefined when the browser has none for us. */
async function inImages(
  mode: IDBTransactionMode,
  act: (images: IDBObjectStore) => Promise<unknown>,
): Promise<unknown> {
  try {
    const database = await openDatabase();
    try {
      return await act(database.transaction(IMAGES, mode).objectStore(IMAGES));
    } finally {
      database.close();
    }
  } catch {
    // Private windows and full disks: the image is then kept by the page alone.
    return undefined;
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(IMAGES);
  return settle(request);
}

function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
