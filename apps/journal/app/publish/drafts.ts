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

/** An earlier version kept the id of the post of a draft that was sent alone. */
type StoredDraft = Omit<Draft, 'image' | 'postId' | 'wasSent'> & Partial<Pick<Draft, 'postId' | 'wasSent'>>;

const DATABASE = 'fabrica-drafts';
const TEXTS = 'texts';
const IMAGES = 'images';

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
  const found = await inStores('readonly', async (texts, images) => {
    const own = (await settle<StoredDraft[]>(texts.getAll())).filter((one) => one.authorId === authorId);
    const files = await Promise.all(own.map(({ id }) => settle<File | undefined>(images.get(id))));
    return own.map((draft, at): Draft => {
      const { postId } = draft;
      return {
        postId: `post_${draft.at}`,
        wasSent: postId !== undefined,
        ...draft,
        image: files[at] ?? null,
      };
    });
  });
  return (found ?? []).filter((draft) => !isBlank(draft)).sort((one, other) => other.at - one.at);
}

/**
 * Keeps a draft as it is now, and returns it. One that another tab has changed meanwhile stays as that tab has it: this one is kept
 * beside it, under another id, and will be a post of its own unless it was sent. `hasNewImage` tells whether the image is another one.
 */
export async function keepDraft(draft: Draft, hasNewImage: boolean): Promise<Draft> {
  const { image, ...rest } = draft;
  const kept = await inStores('readwrite', async (texts, images) => {
    const stored = await settle<{ at: number } | undefined>(texts.get(draft.id));
    const isOvertaken = stored !== undefined && stored.at !== draft.at;
    const { id, postId } = isOvertaken ? emptyDraft('') : draft;
    const ids = { id, postId: draft.wasSent ? draft.postId : postId };
    const at = Math.max(Date.now(), draft.at + 1);
    if (isBlank(draft)) {
      if (!isOvertaken) texts.delete(id);
      return { ...draft, ...ids, at: 0 };
    }
    texts.put({ ...rest, ...ids, at });
    if (image && (hasNewImage || isOvertaken)) images.put(image, id);
    return { ...draft, ...ids, at };
  });
  return kept ?? draft;
}

export async function removeDraft(id: string): Promise<void> {
  await inStores('readwrite', async (texts, images) => {
    texts.delete(id);
    images.delete(id);
  });
}

/** Runs requests in one transaction. Returns `undefined` where the browser offers no database: the page alone has the draft then. */
async function inStores<T>(
  mode: IDBTransactionMode,
  act: (texts: IDBObjectStore, images: IDBObjectStore) => Promise<T>,
): Promise<T | undefined> {
  try {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(TEXTS, { keyPath: 'id' });
      opening.result.createObjectStore(IMAGES);
    };
    const database = await settle(opening);
    try {
      const transaction = database.transaction([TEXTS, IMAGES], mode);
      const ended = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
      const [result] = await Promise.all([
        act(transaction.objectStore(TEXTS), transaction.objectStore(IMAGES)),
        ended,
      ]);
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
