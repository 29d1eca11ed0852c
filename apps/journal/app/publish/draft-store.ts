import type { Achieved, AchievedStore } from './achieved.ts';

export interface DraftTexts {
  title: string;
  content: string;
}

/** One author's draft, kept on this device: texts in local storage, the image in IndexedDB. */
export interface DraftStore extends AchievedStore {
  readTexts(): DraftTexts;
  writeTexts(texts: DraftTexts): void;
  /** Null when there is none, or the browser keeps none for us. */
  readImage(): Promise<File | null>;
  writeImage(image: File): Promise<void>;
  clear(): Promise<void>;
}

interface KeptDraft extends DraftTexts {
  achieved: Achieved;
}

const EMPTY: KeptDraft = { title: '', content: '', achieved: {} };
const DATABASE = 'fabrica';
const IMAGES = 'draft-images';

/** The draft of one author: whoever signs in next on the same device does not see it. */
export function createDraftStore(authorId: string): DraftStore {
  const key = `fabrica_draft_${authorId}`;
  // Where storage is closed or full, this copy at least serves until the page is left.
  let kept = readKept(key);
  const keep = (changes: Partial<KeptDraft>) => {
    kept = { ...kept, ...changes };
    try {
      localStorage.setItem(key, JSON.stringify(kept));
    } catch {
      return;
    }
  };
  return {
    readTexts: () => ({ title: kept.title, content: kept.content }),
    writeTexts: ({ title, content }) => keep({ title, content }),
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
      kept = EMPTY;
      try {
        localStorage.removeItem(key);
      } finally {
        await inImages('readwrite', async (images) => settle(images.delete(authorId)));
      }
    },
  };
}

function readKept(key: string): KeptDraft {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return { ...EMPTY, ...(typeof kept === 'object' ? kept : null) };
  } catch {
    return EMPTY;
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
