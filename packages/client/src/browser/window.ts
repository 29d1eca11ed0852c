/** The parts of the Web Storage interface that are used. */
export interface StorageLike {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The parts of a browser's window that are used, so that the client also runs where there is none. */
export interface WindowLike {
  readonly location: { readonly href: string; readonly origin: string; assign(url: string): void };
  readonly history: {
    readonly state: unknown;
    replaceState(state: unknown, unused: string, url: string): void;
  };
  readonly parent: { postMessage(message: unknown, targetOrigin: string): void };
  /** Such a page is cut off from the windows that it opens. */
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

/** A window that ours has opened. */
export interface PopupLike {
  readonly closed: boolean;
  focus(): void;
  close(): void;
}

/** Browsers throw on the mere look at a storage that the reader has closed to the page. */
export function openStorage(open: () => StorageLike | undefined): StorageLike | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
