import type { FabricaClient } from '@fabrica/client';
import type { CheckpointStore } from './checkpoint.ts';
import {
  draftKey,
  EMPTY_DRAFT,
  readStoredDraft,
  type StoredDraft,
  settle,
  withImageStore,
} from './stored-drafts.ts';

export type DraftTexts = Pick<StoredDraft, 'title' | 'content' | 'contentFormat' | 'sources' | 'details'>;

/** Stores one draft on this device: the texts in local storage, the image in IndexedDB. */
export interface DraftStore extends CheckpointStore {
  /** Returns the same object until the draft changes. */
  getDraft(): StoredDraft;
  /** Calls the listener after every change, also after those of other tabs. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
  writeTexts(texts: Partial<DraftTexts>): void;
  /** Notes that the draft is being published, or is not any more. */
  setPublishing(publishing: boolean): void;
  /** Returns `null` when there is no image, or when the browser stores none. */
  readImage(): Promise<File | null>;
  writeImage(image: File): Promise<void>;
  clear(): Promise<void>;
}

const stores = new WeakMap<FabricaClient, Map<string, DraftStore>>();

/** Returns the one store of a draft, so that a form opened during a publish sees what the publish stores. */
export function draftStoreOf(client: FabricaClient, draftId: string): DraftStore {
  const known = stores.get(client) ?? new Map<string, DraftStore>();
  stores.set(client, known);
  const store = known.get(draftId) ?? createDraftStore(draftId);
  known.set(draftId, store);
  return store;
}

function createDraftStore(draftId: string): DraftStore {
  const key = draftKey(draftId);
  const listeners = new Set<() => void>();
  // Serves alone, until the page is left, where local storage is blocked or full.
  let draft = readStoredDraft(draftId);
  let written: string | undefined;
  const setDraft = (next: StoredDraft) => {
    draft = next;
    for (const listener of listeners) listener();
  };
  const save = (changes: Partial<StoredDraft>) => {
    const next = { ...draft, ...changes };
    written = JSON.stringify(next);
    try {
      localStorage.setItem(key, written);
    } catch {
      // The copy in memory remains.
    }
    setDraft(next);
  };
  /** Nothing that a publish reports brings back a draft that was cleared meanwhile. */
  const saveProgress = (changes: Partial<StoredDraft>) => {
    if (draft !== EMPTY_DRAFT) save(changes);
  };
  window.addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return;
    // What this tab wrote while it was still to learn that another one had cleared the draft.
    if (event.newValue === null && localStorage.getItem(key) === written) localStorage.removeItem(key);
    setDraft(readStoredDraft(draftId));
  });
  return {
    id: draftId,
    getDraft: () => draft,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    writeTexts: save,
    setPublishing: (publishing) => saveProgress({ publishing }),
    read: () => draft.achieved,
    write: (achieved) => saveProgress({ achieved }),
    async readImage() {
      const image = await withImageStore('readonly', (images) => settle(images.get(draftId)));
      return image instanceof File ? image : null;
    },
    async writeImage(image) {
      save({ hasImage: true });
      await withImageStore('readwrite', (images) => settle(images.put(image, draftId)));
    },
    async clear() {
      try {
        localStorage.removeItem(key);
      } finally {
        setDraft(EMPTY_DRAFT);
        await withImageStore('readwrite', (images) => settle(images.delete(draftId)));
      }
    },
  };
}
