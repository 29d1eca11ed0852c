import { z } from 'zod';
import { type Environment, httpUrl } from '../../core/settings.ts';

export const dataSettings = {
  SEARCH_URL: httpUrl
    .optional()
    .describe('A SearXNG, such as `http://localhost:8888`, for web search. Without one, there is no search.'),
  CHROMIUM_PATH: z
    .string()
    .min(1)
    .optional()
    .describe('The Chromium that takes screenshots of pages. Default: the one found on this machine.'),
};

export interface DataSettings {
  /** URL of a SearXNG; without one, there is no search. */
  searchUrl: string | undefined;
  /** Path of a Chromium; without one, it is searched for on the `PATH` of the environment. */
  chromium: string | undefined;
  /** Environment of this process. The browser receives only the few variables that it needs. */
  environment: Environment;
}
