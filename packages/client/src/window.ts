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
  readonly localStorage: StorageLike;
  readonly sessionStorage: StorageLike;
  readonly navigator: { readonly locks?: LockManagerLike };
  addEventListener(type: string, listener: (event: Event) => void, options: { signal: AbortSignal }): void;
}

export interface LockManagerLike {
  request<T>(name: string, options: { signal: AbortSignal }, work: () => Promise<T>): Promise<T>;
}

/** Browsers throw on the mere look at a storage that the reader has closed to the page. */
export function openStorage(open: () => StorageLike | undefined): StorageLike | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
