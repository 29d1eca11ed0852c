import type { FabricaClient } from '@fabrica/client';
import type { Checkpoint, CheckpointStore } from './checkpoint.ts';

export interface DraftTexts {
  title: string;
  content: string;
}

/** Holds a draft without its image, as it is written to local storage. */
export interface StoredDraft extends DraftTexts {
  achieved: Checkpoint;
}

/** Stores one author's draft on this device: the texts in local storage, the image in IndexedDB. */
export interface DraftStore extends CheckpointStore {
  /** Returns the same object until the draft changes. */
  getDraft(): StoredDraft;
  /** Calls the listener after every change, also after those of other tabs. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
  writeTexts(texts: Partial<DraftTexts>): void;
  /** Returns `null` when there is no image, or when the browser stores none. */
  readImage(): Promise<File | null>;
  writeImage(image: File): Promise<void>;
  clear(): Promise<void>;
}

/** A draft equals this object before anything is written, and after any tab cleared it. */
export const EMPTY_DRAFT: StoredDraft = { title: '', content: '', achieved: {} };
const DATABASE = 'fabrica';
const IMAGES = 'draft-images';

const stores = new WeakMap<FabricaClient, Map<string, DraftStore>>();

/** Returns the one draft store of an author, so that a form opened during a publish sees what the publish stores. */
export function draftStoreOf(client: FabricaClient, authorId: string): DraftStore {
  const known = stores.get(client) ?? new Map<string, DraftStore>();
  stores.set(client, known);
  const store = known.get(authorId) ?? createDraftStore(authorId);
  known.set(authorId, store);
  return store;
}

/** Returns whether the author has texts or results of a draft on this device. */
export function hasStoredDraft(authorId: string): boolean {
  return readStored(keyOf(authorId)) !== EMPTY_DRAFT;
}

const keyOf = (authorId: string) => `fabrica_draft_${authorId}`;

/** Opens the draft of one author. Another account on the same device does not see it. */
export function createDraftStore(authorId: string): DraftStore {
  const key = keyOf(authorId);
  const listeners = new Set<() => void>();
  // Serves alone, until the page is left, where local storage is blocked or full.
  let draft = readStored(key);
  const setDraft = (next: StoredDraft) => {
    draft = next;
    for (const listener of listeners) listener();
  };
  const save = (changes: Partial<StoredDraft>) => {
    const next = { ...draft, ...changes };
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // The copy in memory remains.
    }
    setDraft(next);
  };
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) setDraft(readStored(key));
  });
  return {
    getDraft: () => draft,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    writeTexts: save,
    read: () => draft.achieved,
    write: (achieved) => save({ achieved }),
    async readImage() {
      const image = await withImageStore('readonly', (images) => settle(images.get(authorId)));
      return image instanceof File ? image : null;
    },
    async writeImage(image) {
      await withImageStore('readwrite', (images) => settle(images.put(image, authorId)));
    },
    async clear() {
      try {
        localStorage.removeItem(key);
      } finally {
        setDraft(EMPTY_DRAFT);
        await withImageStore('readwrite', (images) => settle(images.delete(authorId)));
      }
    },
  };
}

function readStored(key: string): StoredDraft {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof stored === 'object' && stored ? { ...EMPTY_DRAFT, ...stored } : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Runs one request on the images in IndexedDB. Returns `undefined` where the browser offers no database. */
async function withImageStore(
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
    // Private windows and full disks: only the page itself holds the image then.
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
