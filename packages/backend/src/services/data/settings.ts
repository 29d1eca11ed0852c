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
  /** Without a URL, there is no search. */
  searchUrl: string | undefined;
  /** The path of a Chromium; without one, it is looked for on the environment's `PATH`. */
  chromium: string | undefined;
  /** The environment of this process, of which the browser gets the few variables that it needs. */
  environment: Environment;
}
