/** The part of the Web Storage interface that the client uses. */
export interface StorageLike {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The part of a browser's window that the client uses. The client also runs without a window. */
export interface WindowLike {
  readonly location: { readonly href: string; readonly origin: string; assign(url: string): void };
  readonly history: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, url: string): void;
  };
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void };
  /** An isolated page has no connection to the windows that it opens. */
  readonly crossOriginIsolated?: boolean;
  readonly localStorage: StorageLike;
  readonly sessionStorage: StorageLike;
  readonly navigator: { readonly locks?: LockManagerLike; readonly onLine?: boolean };
  readonly BroadcastChannel?: new (name: string) => BroadcastChannelLike;
  open(url: string, target: string, features: string): PopupLike | null;
  addEventListener(type: string, listener: (event: Event) => void, options: { signal: AbortSignal }): void;
}

export interface LockManagerLike {
  request<T>(name: string, options: { signal: AbortSignal }, work: () => Promise<T>): Promise<T>;
}

export interface BroadcastChannelLike {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  close(): void;
}

/** A window that the client has opened. */
export interface PopupLike {
  readonly closed: boolean;
  focus(): void;
  close(): void;
}

/** Returns the storage, or undefined where the browser denies the page access: reading the property throws then. */
export function openStorage(open: () => StorageLike | undefined): StorageLike | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/**
 * Returns 64 random bits as 14 letters and digits. It does not use `crypto.randomUUID`, which browsers lack on plain
 * HTTP.
 */
export function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(2)), (word) =>
    word.toString(36).padStart(7, '0'),
  ).join('');
}
