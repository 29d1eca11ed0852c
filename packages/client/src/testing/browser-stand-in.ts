import type { LockManagerLike, StorageLike, WindowLike } from '../window.ts';

/** A stand-in for one browser: tabs that share a storage and locks, and hear of each other's writes. */
export class BrowserStandIn {
  readonly #items = new Map<string, string>();
  readonly #tabs: TabStandIn[] = [];
  readonly #locks = new Map<string, Promise<unknown>>();

  openTab(
    href = 'https://journal.example/gallery',
    options: { parent?: ParentStandIn; locks?: boolean } = {},
  ): TabStandIn {
    const tab = new TabStandIn(href, {
      localStorage: this.#storageOf(() => tab),
      ...(options.locks !== false && { locks: this.#lockManager() }),
      ...(options.parent && { parent: options.parent }),
    });
    this.#tabs.push(tab);
    return tab;
  }

  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }

  #storageOf(writer: () => TabStandIn): StorageLike {
    const tell = (key: string, newValue: string | null) => {
      for (const tab of this.#tabs) {
        if (tab === writer()) continue;
        queueMicrotask(() => tab.dispatchEvent(Object.assign(new Event('storage'), { key, newValue })));
      }
    };
    return {
      getItem: (key) => this.getItem(key),
      setItem: (key, value) => {
        this.#items.set(key, value);
        tell(key, value);
      },
      removeItem: (key) => {
        if (this.#items.delete(key)) tell(key, null);
      },
    };
  }

  #lockManager(): LockManagerLike {
    return {
      request: <T>(name: string, _options: { signal: AbortSignal }, work: () => Promise<T>): Promise<T> => {
        const turn = (this.#locks.get(name) ?? Promise.resolve()).then(work, work);
        this.#locks.set(
          name,
          turn.catch(() => undefined),
        );
        return turn;
      },
    };
  }
}

export class TabStandIn extends EventTarget implements WindowLike {
  readonly localStorage: StorageLike;
  readonly sessionStorage: StorageLike;
  readonly navigator: { locks?: LockManagerLike };
  readonly parent: WindowLike['parent'];
  readonly location: { href: string; origin: string; assign(url: string): void };
  readonly history: WindowLike['history'];
  /** Addresses that the page left for. */
  readonly visits: string[] = [];
  listenerCount = 0;

  constructor(
    href: string,
    parts: { localStorage: StorageLike; locks?: LockManagerLike; parent?: WindowLike['parent'] },
  ) {
    super();
    const session = new Map<string, string>();
    this.localStorage = parts.localStorage;
    this.sessionStorage = {
      getItem: (key) => session.get(key) ?? null,
      setItem: (key, value) => void session.set(key, value),
      removeItem: (key) => void session.delete(key),
    };
    this.navigator = parts.locks ? { locks: parts.locks } : {};
    this.parent = parts.parent ?? (this as unknown as WindowLike['parent']);
    this.location = { href, origin: new URL(href).origin, assign: (url) => void this.visits.push(url) };
    const location = this.location;
    const history = {
      state: { idx: 3 } as unknown,
      replaceState(state: unknown, _unused: string, url: string) {
        history.state = state;
        location.href = new URL(url, location.href).href;
      },
    };
    this.history = history;
  }

  override addEventListener(
    type: string,
    listener: (event: Event) => void,
    options: { signal: AbortSignal },
  ): void {
    this.listenerCount++;
    options.signal.addEventListener('abort', () => this.listenerCount--);
    super.addEventListener(type, listener, options);
  }

  /** A message as the browser would deliver it. */
  receive(message: unknown, from: { origin: string; source: unknown }): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: message, ...from }));
  }
}

/** A window that embeds a tab, and what it was told. */
export class ParentStandIn {
  readonly messages: unknown[] = [];
  onMessage: (message: unknown) => void = () => {};

  postMessage(message: unknown): void {
    this.messages.push(message);
    this.onMessage(message);
  }
}
