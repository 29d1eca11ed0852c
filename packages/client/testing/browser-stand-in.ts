import type {
  BroadcastChannelLike,
  LockManagerLike,
  PopupLike,
  StorageLike,
  WindowLike,
} from '../src/browser/window.ts';

export interface TabOptions {
  parent?: ParentStandIn;
  /** False removes Web Locks. */
  locks?: boolean;
  /** False removes BroadcastChannel. */
  channel?: boolean;
  /** False suppresses the storage events of other tabs' writes. */
  storageEvents?: boolean;
  crossOriginIsolated?: boolean;
}

/** A stand-in for a browser. Its tabs share a storage with its events, locks and channels. */
export class BrowserStandIn {
  readonly #items = new Map<string, string>();
  readonly #tabs: TabStandIn[] = [];
  readonly #locks = new Map<string, Promise<unknown>>();
  readonly #channels = new Set<ChannelStandIn>();
  /** The messages of all channels. */
  readonly messages: unknown[] = [];

  openTab(href = 'https://journal.example/gallery', options: TabOptions = {}): TabStandIn {
    const tab = new TabStandIn(href, {
      localStorage: this.#storageOf(() => tab),
      ...(options.locks !== false && { locks: this.#lockManager() }),
      ...(options.channel !== false && { BroadcastChannel: this.#channelOf(() => tab) }),
      options,
    });
    this.#tabs.push(tab);
    return tab;
  }

  get openChannels(): number {
    return this.#channels.size;
  }

  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }

  #storageOf(writer: () => TabStandIn): StorageLike {
    const notify = (key: string, newValue: string | null) => {
      for (const tab of this.#tabs) {
        if (tab === writer() || tab.options.storageEvents === false) continue;
        tab.deliver(() => tab.dispatchEvent(Object.assign(new Event('storage'), { key, newValue })));
      }
    };
    return {
      getItem: (key) => this.getItem(key),
      setItem: (key, value) => {
        if (this.#items.get(key) === value) return;
        this.#items.set(key, value);
        notify(key, value);
      },
      removeItem: (key) => {
        if (this.#items.delete(key)) notify(key, null);
      },
    };
  }

  #lockManager(): LockManagerLike {
    return {
      request: <T>(name: string, { signal }: { signal: AbortSignal }, work: () => Promise<T>): Promise<T> => {
        const aborted = Promise.withResolvers<never>();
        const onAbort = () => aborted.reject(signal.reason);
        signal.addEventListener('abort', onAbort);
        const result = (this.#locks.get(name) ?? Promise.resolve()).then(() => {
          signal.removeEventListener('abort', onAbort);
          return signal.aborted ? aborted.promise : work();
        });
        this.#locks.set(
          name,
          result.catch(() => undefined),
        );
        return Promise.race([result, aborted.promise]);
      },
    };
  }

  #channelOf(tab: () => TabStandIn): new (name: string) => BroadcastChannelLike {
    const [channels, messages] = [this.#channels, this.messages];
    return class extends ChannelStandIn {
      constructor(name: string) {
        super(name, { tab: tab(), channels, messages });
      }
    };
  }
}

class ChannelStandIn implements BroadcastChannelLike {
  readonly #name: string;
  readonly #parts: { tab: TabStandIn; channels: Set<ChannelStandIn>; messages: unknown[] };
  readonly #listeners: ((event: { data: unknown }) => void)[] = [];

  constructor(name: string, parts: { tab: TabStandIn; channels: Set<ChannelStandIn>; messages: unknown[] }) {
    this.#name = name;
    this.#parts = parts;
    parts.channels.add(this);
  }

  postMessage(message: unknown): void {
    const { channels, messages } = this.#parts;
    if (!channels.has(this)) throw new DOMException('The channel is closed.', 'InvalidStateError');
    messages.push(message);
    for (const other of channels) if (other !== this && other.#name === this.#name) other.#receive(message);
  }

  addEventListener(_type: 'message', listener: (event: { data: unknown }) => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#parts.channels.delete(this);
  }

  #receive(data: unknown): void {
    const { tab, channels } = this.#parts;
    tab.deliver(() => {
      if (channels.has(this)) for (const listener of this.#listeners) listener({ data });
    });
  }
}

export class TabStandIn extends EventTarget implements WindowLike {
  readonly localStorage: StorageLike;
  readonly sessionStorage: StorageLike;
  readonly navigator: { locks?: LockManagerLike };
  readonly parent: WindowLike['parent'];
  readonly crossOriginIsolated: boolean;
  readonly location: { href: string; origin: string; assign(url: string): void };
  readonly history: WindowLike['history'];
  readonly options: TabOptions;
  declare readonly BroadcastChannel: new (
    name: string,
  ) => BroadcastChannelLike;
  /** The URLs that the page has navigated to. */
  readonly visits: string[] = [];
  readonly popups: PopupStandIn[] = [];
  blocksPopups = false;
  listenerCount = 0;
  /** The tasks of a sleeping tab. */
  #missed: (() => void)[] | undefined;

  constructor(
    href: string,
    parts: {
      localStorage: StorageLike;
      locks?: LockManagerLike;
      BroadcastChannel?: new (name: string) => BroadcastChannelLike;
      options: TabOptions;
    },
  ) {
    super();
    const session = new Map<string, string>();
    this.localStorage = parts.localStorage;
    this.sessionStorage = {
      getItem: (key) => session.get(key) ?? null,
      setItem: (key, value) => void session.set(key, value),
      removeItem: (key) => void session.delete(key),
    };
    this.options = parts.options;
    this.navigator = parts.locks ? { locks: parts.locks } : {};
    if (parts.BroadcastChannel) this.BroadcastChannel = parts.BroadcastChannel;
    this.parent = parts.options.parent ?? (this as unknown as WindowLike['parent']);
    this.crossOriginIsolated = parts.options.crossOriginIsolated ?? false;
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

  open(url: string, target: string, features: string): PopupLike | null {
    if (this.blocksPopups) return null;
    const popup = new PopupStandIn(url, target, features);
    this.popups.push(popup);
    return popup;
  }

  /** Dispatches a message event. */
  receive(message: unknown, from: { origin: string; source: unknown }): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: message, ...from }));
  }

  /** Runs a task in this tab: in the next microtask, or when the tab wakes up. */
  deliver(task: () => void): void {
    if (this.#missed) this.#missed.push(task);
    else queueMicrotask(task);
  }

  sleep(): void {
    this.#missed ??= [];
  }

  /** Runs the missed tasks, unless they are lost, and dispatches `visibilitychange`. */
  wake({ lost = false } = {}): void {
    const missed = this.#missed ?? [];
    this.#missed = undefined;
    if (!lost) for (const task of missed) task();
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

/** A window that a tab has opened. */
export class PopupStandIn implements PopupLike {
  readonly url: URL;
  readonly target: string;
  readonly features: string;
  closed = false;
  focusCount = 0;

  constructor(url: string, target: string, features: string) {
    this.url = new URL(url, 'https://journal.example');
    this.target = target;
    this.features = features;
  }

  focus(): void {
    this.focusCount++;
  }

  close(): void {
    this.closed = true;
  }
}

/** A window that embeds a tab and records its messages. */
export class ParentStandIn {
  readonly messages: unknown[] = [];
  onMessage: (message: unknown) => void = () => {};

  postMessage(message: unknown): void {
    this.messages.push(message);
    this.onMessage(message);
  }
}
