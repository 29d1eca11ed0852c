import type { DeskDocument } from '../document.ts';

/** A working copy with changes that the server does not have yet, as this browser stores it. */
export interface StoredCopy<Document = DeskDocument> {
  /** The version that the changes were made in. */
  version: number;
  /** The document of that version, by which changes of both sides are told apart; missing where there was no room. */
  base?: Document;
  document: Document;
  /** Epoch milliseconds. */
  at: number;
}

const PREFIX = 'fabrica_desk_';

/** Names the copy of one post in one tab, so that two tabs do not overwrite each other's. */
export interface CopyName {
  authorId: string;
  postId: string;
  tab: string;
}

/** Stores a copy. Where storage is blocked or full, the page alone holds it. */
export function storeCopy<Document>(name: CopyName, copy: StoredCopy<Document>): void {
  const { base: _, ...small } = copy;
  for (const candidate of [copy, small]) {
    try {
      localStorage.setItem(keyOf(name), JSON.stringify(candidate));
      return;
    } catch {
      // The next candidate takes half the room.
    }
  }
}

export function removeCopy(name: CopyName): void {
  try {
    localStorage.removeItem(keyOf(name));
  } catch {
    // Nothing is stored then.
  }
}

/** Returns the newest copy of a post in this browser and its tab. */
export function findCopy<Document>(
  authorId: string,
  postId: string,
): { name: CopyName; copy: StoredCopy<Document> } | undefined {
  const found = namesOf(authorId)
    .filter((name) => name.postId === postId)
    .flatMap((name) => {
      const copy = readCopy<Document>(name);
      return copy ? [{ name, copy }] : [];
    });
  return found.sort((one, other) => other.copy.at - one.copy.at)[0];
}

/** Returns whether this browser holds changes of an author that the server does not have. */
export function hasCopies(authorId: string): boolean {
  return namesOf(authorId).length > 0;
}

/** Removes all copies of an author from this browser, and from the pages that hold them, in all tabs. */
export function removeCopies(authorId: string): void {
  for (const name of namesOf(authorId)) {
    removeCopy(name);
    // Browsers tell the other tabs alone.
    window.dispatchEvent(new StorageEvent('storage', { key: keyOf(name) }));
  }
}

/** Returns the key of a copy in local storage. */
export function keyOf({ authorId, postId, tab }: CopyName): string {
  return `${PREFIX}${authorId}.${postId}.${tab}`;
}

function namesOf(authorId: string): CopyName[] {
  const start = `${PREFIX}${authorId}.`;
  try {
    return Object.keys(localStorage).flatMap((key) => {
      const [postId, tab] = key.startsWith(start) ? key.slice(start.length).split('.') : [];
      return postId && tab ? [{ authorId, postId, tab }] : [];
    });
  } catch {
    return [];
  }
}

function readCopy<Document>(name: CopyName): StoredCopy<Document> | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(name)) ?? 'null') as StoredCopy<Document> | null;
    return stored?.document && typeof stored.version === 'number' ? stored : undefined;
  } catch {
    return undefined;
  }
}
