import { type Environment, httpUrl, type SettingsValues } from '../../core/settings.ts';

/** Bounds of the screenshots that are taken at a time. */
export interface ScreenshotLimits {
  /** Pages that are open at a time, each with up to 1 GB of memory, of all accounts and of one. */
  pages: number;
  pagesPerAccount: number;
  /** Calls of one account that may wait. */
  waitingPerAccount: number;
  /** Milliseconds after which a page is closed, whatever it does. */
  pageMs: number;
}

export const SCREENSHOT_LIMITS: ScreenshotLimits = {
  pages: 3,
  pagesPerAccount: 2,
  waitingPerAccount: 8,
  pageMs: 12_000,
};

/** Calls to other servers in a day (UTC): of a new account, and of all accounts of a project together. */
const NEW_ACCOUNT_CALLS = 200;
const PROJECT_CALLS = 20_000;

export const dataSettings = {
  SEARCH_URL: httpUrl
    .optional()
    .describe('A SearXNG, such as `http://localhost:8888`, for web search. Without one, there is no search.'),
};

export type DataSettings = ReturnType<typeof readDataSettings>;

/** Returns the settings of the data service, without budgets (0) when limits are off. */
export function readDataSettings(
  values: SettingsValues<typeof dataSettings>,
  environment: Environment,
  limited: boolean,
) {
  return {
    searchUrl: values.SEARCH_URL,
    // The browser receives only the few variables that it needs.
    environment,
    newAccountCalls: limited ? NEW_ACCOUNT_CALLS : 0,
    projectDailyCalls: limited ? PROJECT_CALLS : 0,
  };
}
