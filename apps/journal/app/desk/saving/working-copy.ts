import { AuthError, FabricaError } from '@fabrica/client';
import type { CurrentCopy, SaveOptions, VersionedDocument } from '../desk-client.ts';
import type { DeskDocument } from '../document.ts';
import { type CopyName, findCopy, keyOf, removeCopy, type StoredCopy, storeCopy } from './stored-copies.ts';

export type SaveStatus<Document = DeskDocument> =
  /** `at` is `null` for a copy that nothing was changed in yet. */
  | { name: 'saved'; at: number | null }
  | { name: 'unsaved' }
  | { name: 'saving' }
  /**
   * The server cannot be reached, or has failed. The browser stores the changes and they are sent later. The error is
   * undefined where nothing came back.
   */
  | { name: 'offline'; error?: FabricaError | undefined }
  /** Somebody else has saved the post meanwhile. Nothing is sent until it is decided what becomes of both copies. */
  | { name: 'stale'; theirs: CurrentCopy<Document> }
  | { name: 'session-ended' }
  | { name: 'refused'; reason: 'forbidden' | 'gone' }
  /** `fields` are the parts of a document that are too long, where they are known. */
  | { name: 'refused'; reason: 'too-large'; fields?: readonly string[] }
  | { name: 'refused'; reason: 'invalid'; error: FabricaError };

export interface WorkingCopyState<Document = DeskDocument> {
  document: Document;
  /** The copy that the server had last, as far as this page knows. */
  base: { version: number; document: Document | undefined };
  status: SaveStatus<Document>;
}

interface WorkingCopyOptions<Document> {
  authorId: string;
  /** Names what is written among all that this browser stores: a post, or a part of one. */
  id: string;
  loaded: CurrentCopy<Document>;
  /** Saves a document over the version that it was made from. Rejects with the errors of the client. */
  save(
    copy: VersionedDocument<Document>,
    options: SaveOptions,
  ): Promise<{ version: number; savedAt: number }>;
  isSame(one: Document, other: Document): boolean;
  /** Returns the copy of the server from the error of a stale one, or `undefined` for any other error. */
  currentOf(error: unknown): CurrentCopy<Document> | undefined;
}

/** Milliseconds after the last key before a copy is sent. */
const PAUSE_MS = 1_000;
/** Milliseconds after the last key before this browser stores the copy. */
const STORE_MS = 250;
/** Milliseconds before the server is tried again that could not be reached. */
const RETRY_MS = 10_000;
/** The states in which what is left to send is sent at once. */
const GOES_ON: ReadonlySet<SaveStatus['name']> = new Set(['saved', 'unsaved', 'saving']);
/** Browsers refuse requests that outlive their page with more bytes. */
const MAX_KEEPALIVE_BYTES = 60_000;

/** Holds what somebody writes, and saves it on the server, and in the browser until the server has it. */
export class WorkingCopy<Document extends object = DeskDocument> {
  readonly #options: WorkingCopyOptions<Document>;
  readonly #name: CopyName;
  readonly #listeners = new Set<() => void>();
  #state: WorkingCopyState<Document>;
  /** Documents that may have reached the server although no response came. */
  #unconfirmed: Document[] = [];
  /** The save or the action that is under way: the server is sent one thing after the other. Never rejects. */
  #running: Promise<void> | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #storeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WorkingCopyOptions<Document>) {
    const { authorId, id, loaded } = options;
    this.#options = options;
    const stored = findCopy<Document>(authorId, id);
    this.#name = stored?.name ?? { authorId, postId: id, tab: crypto.randomUUID() };
    const { version, document } = loaded;
    this.#state = { document, base: { version, document }, status: { name: 'saved', at: null } };
    if (!stored) return;
    if (options.isSame(stored.copy.document, document)) removeCopy(stored.name);
    else this.#resume(stored.copy, loaded);
  }

  /** The key under which this browser stores the copy. */
  get key(): string {
    return keyOf(this.#name);
  }

  /** Returns the same object until something changes. */
  getState = (): WorkingCopyState<Document> => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Saves in the background from now on. Returns a function that saves what is left and ends it. */
  start(): () => void {
    const hide = () => {
      if (document.visibilityState === 'hidden') void this.#hide();
    };
    const retry = () => void this.flush();
    document.addEventListener('visibilitychange', hide);
    window.addEventListener('pagehide', hide);
    window.addEventListener('online', retry);
    window.addEventListener('storage', this.#forgetRemoved);
    if (this.#hasChanges()) void this.flush();
    return () => {
      document.removeEventListener('visibilitychange', hide);
      window.removeEventListener('pagehide', hide);
      window.removeEventListener('online', retry);
      window.removeEventListener('storage', this.#forgetRemoved);
      void this.flush();
    };
  }

  change(changes: Partial<Document>): void {
    const document = { ...this.#state.document, ...changes };
    const { status } = this.#state;
    const waits = status.name === 'stale' || status.name === 'session-ended' || status.name === 'offline';
    this.#set({ document, ...(!waits && { status: { name: 'unsaved' } }) });
    clearTimeout(this.#storeTimer);
    this.#storeTimer = setTimeout(() => this.#store(), STORE_MS);
    this.#saveLater(PAUSE_MS);
  }

  /** Sends what the server does not have. Resolves with whether it has everything now. */
  async flush(options: { keepalive?: boolean } = {}): Promise<boolean> {
    clearTimeout(this.#saveTimer);
    do {
      if (!this.#running && this.#hasChanges() && this.#state.status.name !== 'stale')
        this.#running = this.#alone(this.#save(options));
      await this.#running;
      // Another call may have begun the next save meanwhile, and words may have been taken back that a save has sent.
    } while ((this.#running || this.#hasChanges()) && GOES_ON.has(this.#state.status.name));
    return !this.#hasChanges();
  }

  /**
   * Saves what is written, and calls `act` with the version that the server has then. What is written meanwhile is sent
   * afterwards. Resolves with what `act` returns, and with `undefined` where the server does not have everything.
   */
  async act<Result>(act: (version: number) => Promise<Result>): Promise<Result | undefined> {
    if (!(await this.flush())) return undefined;
    const acting = act(this.#state.base.version);
    this.#running = this.#alone(acting.catch(() => undefined));
    return acting;
  }

  /** Goes on with a document in place of both copies, after somebody else has saved. */
  async resolve(document: Document, theirs: CurrentCopy<Document>): Promise<boolean> {
    this.#set({
      document,
      base: { version: theirs.version, document: theirs.document },
      status: { name: 'unsaved' },
    });
    if (this.#hasChanges()) {
      this.#store();
      return this.flush();
    }
    // The server has this document already: there is nothing to send, and nothing to keep in the browser.
    this.#set({ status: { name: 'saved', at: theirs.updatedAt } });
    this.#forget();
    return true;
  }

  /**
   * Goes on with the copy that an action has left on the server. What was written meanwhile is sent over it, unless the
   * server has other words than those that it was written in: then it is decided what becomes of both copies.
   */
  adopt(copy: CurrentCopy<Document>): void {
    const { version, document } = copy;
    const { base } = this.#state;
    if (version < base.version) return;
    if (!this.#hasChanges()) {
      this.#set({ document, base: { version, document }, status: { name: 'saved', at: Date.now() } });
      this.#forget();
    } else if (base.document && this.#options.isSame(base.document, document)) {
      this.#set({ base: { version, document } });
    } else this.note(copy);
  }

  /** Goes on with a newer copy of the server. With changes that it has not, the next save finds that it is stale. */
  follow(copy: VersionedDocument<Document>): void {
    const { base, status } = this.#state;
    if (copy.version <= base.version || this.#running || this.#hasChanges()) return;
    this.#set({
      base: copy,
      document: copy.document,
      ...(status.name !== 'saved' && { status: { name: 'saved', at: null } }),
    });
  }

  /** Notes that the server has another copy, as another call than a save has found. */
  note(theirs: CurrentCopy<Document>): void {
    this.#store();
    this.#set({ status: { name: 'stale', theirs } });
  }

  /** The author has signed out and left nothing on this computer: neither does this page. */
  #forgetRemoved = ({ key, newValue }: StorageEvent): void => {
    if (key !== this.key || newValue !== null) return;
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#storeTimer);
    const { base, document } = this.#state;
    this.#set({
      document: base.document ?? document,
      base: { version: base.version, document: base.document ?? document },
      status: { name: 'saved', at: null },
    });
  };

  #resume(stored: StoredCopy<Document>, loaded: CurrentCopy<Document>): void {
    const isCurrent = stored.version === loaded.version;
    this.#state = {
      document: stored.document,
      base: { version: stored.version, document: isCurrent ? loaded.document : stored.base },
      status: isCurrent ? { name: 'unsaved' } : { name: 'stale', theirs: loaded },
    };
  }

  /** Returns a promise for `#running`, which ends with what is under way. */
  #alone(underWay: Promise<unknown>): Promise<void> {
    return underWay.then(() => {
      this.#running = undefined;
    });
  }

  async #save(options: { keepalive?: boolean }): Promise<void> {
    const { document, base } = this.#state;
    this.#set({ status: { name: 'saving' } });
    try {
      const copy = { version: base.version, document };
      const { version, savedAt } = await this.#options.save(copy, options);
      this.#confirm(version, document, savedAt);
    } catch (error) {
      this.#fail(error, document);
    }
  }

  #confirm(version: number, document: Document, savedAt: number): void {
    const isAll = this.#state.document === document;
    this.#unconfirmed = [];
    this.#set({
      base: { version, document },
      status: isAll ? { name: 'saved', at: savedAt } : { name: 'unsaved' },
    });
    if (isAll) this.#forget();
    else this.#store();
  }

  #fail(error: unknown, sent: Document): void {
    const { currentOf, isSame } = this.#options;
    const theirs = currentOf(error);
    // An earlier save reached the server, and only its response was lost.
    const own = theirs && [sent, ...this.#unconfirmed].find((one) => isSame(one, theirs.document));
    if (own) {
      this.#confirm(theirs.version, own, theirs.updatedAt);
      return;
    }
    if (error instanceof FabricaError && error.code === 'NETWORK_ERROR') this.#unconfirmed.push(sent);
    this.#store();
    this.#set({ status: theirs ? { name: 'stale', theirs } : statusOf(error) });
    if (this.#state.status.name === 'offline') this.#saveLater(RETRY_MS);
  }

  async #hide(): Promise<void> {
    this.#store();
    if (!this.#hasChanges()) return;
    const bytes = new Blob([JSON.stringify(this.#state.document)]).size;
    await this.flush({ keepalive: bytes < MAX_KEEPALIVE_BYTES });
  }

  #hasChanges(): boolean {
    const { document, base } = this.#state;
    return !base.document || !(document === base.document || this.#options.isSame(document, base.document));
  }

  #saveLater(ms: number): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => void this.#saveNow(), ms);
  }

  async #saveNow(): Promise<void> {
    // A word was typed and taken back.
    if (!this.#hasChanges() && this.#state.status.name === 'unsaved') {
      this.#forget();
      return this.#set({ status: { name: 'saved', at: null } });
    }
    await this.flush();
  }

  #store(): void {
    if (!this.#hasChanges()) return;
    const { document, base } = this.#state;
    const copy = { version: base.version, document, at: Date.now() };
    storeCopy(this.#name, base.document ? { ...copy, base: base.document } : copy);
  }

  #forget(): void {
    clearTimeout(this.#storeTimer);
    removeCopy(this.#name);
  }

  #set(changes: Partial<WorkingCopyState<Document>>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }
}

function statusOf<Document>(error: unknown): SaveStatus<Document> {
  if (error instanceof AuthError) return { name: 'session-ended' };
  if (!(error instanceof FabricaError)) return { name: 'offline' };
  const { code, status } = error;
  if (code === 'FORBIDDEN') return { name: 'refused', reason: 'forbidden' };
  if (code === 'NOT_FOUND') return { name: 'refused', reason: 'gone' };
  if (code === 'PAYLOAD_TOO_LARGE') return { name: 'refused', reason: 'too-large' };
  if (code === 'VALIDATION_FAILED') return { name: 'refused', reason: 'invalid', error };
  return { name: 'offline', ...(status !== null && { error }) };
}
