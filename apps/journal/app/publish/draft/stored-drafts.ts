import type { DeskDocument } from '../../desk/document.ts';
import { hasCopies, removeCopies } from '../../desk/saving/stored-copies.ts';
import { forgetUndo } from '../../editor/forget-undo.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { DraftDetails } from './draft-details.ts';

/** Holds a draft without its image, as it is written to local storage. */
export interface StoredDraft {
  title: string;
  content: string;
  /** Tells how the text is written, and what it cites; drafts of earlier versions of the page lack both. */
  contentFormat?: DeskDocument['contentFormat'];
  sources?: DeskDocument['sources'];
  /** Whether an image is stored beside the texts. */
  hasImage: boolean;
  /** The fields beside the texts; drafts of earlier versions of the page lack it. */
  details?: DraftDetails;
  achieved: Checkpoint;
  /** Whether the draft is being published. It stays set when the page is left before the end. */
  publishing: boolean;
}

/** A draft equals this object before anything is written, and after any tab cleared it. */
export const EMPTY_DRAFT: StoredDraft = {
  title: '',
  content: '',
  contentFormat: 'plain',
  sources: [],
  hasImage: false,
  achieved: {},
  publishing: false,
};
const PREFIX = 'fabrica_draft_';
const DATABASE = 'fabrica';
const IMAGES = 'draft-images';

/** Returns the key of a draft's texts in local storage. */
export function draftKey(draftId: string): string {
  return `${PREFIX}${draftId}`;
}

/** Returns the id of an author's draft. The first has the author's own id; those of further tabs are numbered from 2. */
export function draftIdOf(authorId: string, number: number): string {
  return number === 1 ? authorId : `${authorId}.${number}`;
}

export function readStoredDraft(draftId: string): StoredDraft {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(draftKey(draftId)) ?? 'null');
    return typeof stored === 'object' && stored ? { ...EMPTY_DRAFT, ...stored } : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Returns the numbers of the author's drafts on this device that hold a text or an image, in rising order. */
export function listDrafts(authorId: string): number[] {
  const filled = storedIds().filter((id) => {
    const { title, content, hasImage } = readStoredDraft(id);
    return hasImage || title.trim() || content.trim();
  });
  return filled.flatMap((id) => numberOf(id, authorId)).sort((one, other) => one - other);
}

/** Returns what stands in for an author's draft on the server: its number on this device, or `undefined`. */
export function findDraft(authorId: string, postId: string): number | undefined {
  return listDrafts(authorId).find(
    (number) => readStoredDraft(draftIdOf(authorId, number)).achieved.desk?.id === postId,
  );
}

/** Returns whether this device holds anything of an author that may be nowhere else. */
export function hasDrafts(authorId: string): boolean {
  return listDrafts(authorId).length > 0 || hasCopies(authorId);
}

/** Removes all drafts of an author from this device, for all tabs, and what the desk holds until the server has it. */
export async function removeDrafts(authorId: string): Promise<void> {
  removeCopies(authorId);
  forgetUndo(authorId);
  const own = storedIds().filter((id) => numberOf(id, authorId).length > 0);
  for (const key of own.map(draftKey)) {
    localStorage.removeItem(key);
    // Browsers tell the other tabs alone.
    window.dispatchEvent(new StorageEvent('storage', { key }));
  }
  await withImageStore('readwrite', async (images) => {
    const keys = await settle(images.getAllKeys());
    for (const key of keys) if (numberOf(String(key), authorId).length > 0) images.delete(key);
  });
}

function storedIds(): string[] {
  try {
    return Object.keys(localStorage).flatMap((key) =>
      key.startsWith(PREFIX) ? key.slice(PREFIX.length) : [],
    );
  } catch {
    return [];
  }
}

/** Returns the number of a draft, or nothing when it is another author's. */
function numberOf(draftId: string, authorId: string): number[] {
  if (draftId === authorId) return [1];
  return draftId.startsWith(`${authorId}.`) ? [Number(draftId.slice(authorId.length + 1))] : [];
}

/** Runs requests on the images in IndexedDB. Returns `undefined` where the browser offers no database. */
export async function withImageStore(
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

export function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
