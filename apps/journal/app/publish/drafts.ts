/** A post that is being written, as this browser keeps it until it is published. */
export interface Draft {
  id: string;
  authorId: string;
  title: string;
  content: string;
  image: File | null;
  /** Epoch ms of the last change; 0 before the first. */
  at: number;
  /** The id that its post will have, so that two tabs that publish one draft create one post. */
  postId: string;
  /** Whether it was sent: the response may have been lost. */
  wasSent: boolean;
}

/** Texts stay in local storage, which keeps each word at once; images in a database, which takes files. */
const PREFIX = 'fabrica_post_draft_';
const DATABASE = 'fabrica';
const IMAGES = 'draft-images';

export function emptyDraft(authorId: string): Draft {
  return {
    id: crypto.randomUUID?.() ?? String(Math.random()),
    authorId,
    title: '',
    content: '',
    image: null,
    at: 0,
    postId: newPostId(),
    wasSent: false,
  };
}

export function newPostId(): string {
  return `post_${Date.now()}`;
}

export function isBlank({ title, content, image }: Pick<Draft, 'title' | 'content' | 'image'>): boolean {
  return !title.trim() && !content.trim() && !image;
}

/** Returns an author's drafts, the one that was changed last first. */
export async function listDrafts(authorId: string): Promise<Draft[]> {
  const own = idsBehind(PREFIX).flatMap((id) => {
    const text = readText(id);
    return text?.authorId === authorId ? [text] : [];
  });
  const files = await inImages('readonly', (images) =>
    Promise.all(own.map(({ id }) => settle<File | undefined>(images.get(id)))),
  );
  return own
    .map((text, at): Draft => ({ ...text, image: files?.[at] ?? null }))
    .filter((draft) => !isBlank(draft))
    .sort((one, other) => other.at - one.at);
}

/**
 * Keeps a draft as it is now, its text before this returns. Returns the draft as it is kept: one that another tab has changed
 * meanwhile stays as that tab has it, and this one is kept beside it, under another id, as a post of its own unless it was sent.
 * Where the browser takes nothing, the page alone has it.
 */
export function keepText(draft: Draft): Draft {
  const stored = readText(draft.id);
  const isOvertaken = stored !== undefined && stored.at !== draft.at;
  const { id, postId } = isOvertaken ? emptyDraft('') : draft;
  const ids = { id, postId: draft.wasSent ? draft.postId : postId };
  const kept = { ...draft, ...ids, at: isBlank(draft) ? 0 : Math.max(Date.now(), draft.at + 1) };
  try {
    const { image: _, ...text } = kept;
    if (kept.at > 0) localStorage.setItem(PREFIX + id, JSON.stringify(text));
    else localStorage.removeItem(PREFIX + id);
    return kept;
  } catch {
    return { ...draft, at: stored?.at ?? draft.at };
  }
}

/** Keeps the image of a draft, if it has one. Resolves when it is kept. */
export async function keepImage({ id, image }: Draft): Promise<void> {
  if (image) await inImages('readwrite', (images) => settle(images.put(image, id)));
}

export async function removeDraft(id: string): Promise<void> {
  if (readText(id)) localStorage.removeItem(PREFIX + id);
  await inImages('readwrite', (images) => settle(images.delete(id)));
}

/** Returns what stands behind a prefix in the keys of local storage. */
export function idsBehind(prefix: string): string[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.map((key) => key.slice(prefix.length));
  } catch {
    return [];
  }
}

function readText(id: string): Omit<Draft, 'image'> | undefined {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Runs requests in one transaction, and resolves when it is complete; with `undefined` where the browser offers no database. */
export async function inImages<T>(
  mode: IDBTransactionMode,
  act: (images: IDBObjectStore) => Promise<T>,
): Promise<T | undefined> {
  try {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(IMAGES);
    const database = await settle(opening);
    try {
      const transaction = database.transaction(IMAGES, mode);
      const ended = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
      const [result] = await Promise.all([act(transaction.objectStore(IMAGES)), ended]);
      return result;
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

export function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
