import type { WindowLike } from '../browser/window.ts';

/** What is asked of a browser to count, all of it optional: browsers differ, and tests have less. */
export type AnalyticsWindow = WindowLike & {
  readonly innerWidth?: number;
  readonly document?: { readonly referrer: string; readonly visibilityState: string };
  /** Where old Safari and Internet Explorer had it. */
  readonly doNotTrack?: string | null;
  readonly navigator: {
    /** `1`; `yes` in old Firefox. */
    readonly doNotTrack?: string | null;
    readonly globalPrivacyControl?: boolean;
    readonly language?: string;
    readonly onLine?: boolean;
  };
  /** Not in Safari. */
  readonly requestIdleCallback?: (work: () => void, options: { timeout: number }) => void;
};
