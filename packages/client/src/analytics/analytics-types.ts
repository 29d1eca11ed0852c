import type { WindowLike } from '../browser/window.ts';

/**
 * The part of a browser's window that analytics uses. All of it is optional: browsers differ, and tests have less.
 */
export type AnalyticsWindow = WindowLike & {
  readonly innerWidth?: number;
  readonly document?: { readonly referrer: string; readonly visibilityState: string };
  /** Set by old versions of Safari and by Internet Explorer. */
  readonly doNotTrack?: string | null;
  readonly navigator: {
    /** `1`, or `yes` in old versions of Firefox. */
    readonly doNotTrack?: string | null;
    readonly globalPrivacyControl?: boolean;
    readonly language?: string;
    readonly onLine?: boolean;
  };
  /** Missing in Safari. */
  readonly requestIdleCallback?: (work: () => void, options: { timeout: number }) => void;
};

/** The data of an event besides its type. Texts are cut at 256 characters. */
export type EventData = Readonly<Record<string, unknown>>;

export interface AnalyticsClientOptions {
  projectId: string;
  /** The backend's origin; empty for the page's own. */
  origin: string;
  fetch: typeof fetch;
  window: WindowLike | undefined;
  /** Returns the page's language. */
  language: (() => string | undefined) | undefined;
  now: () => number;
}
