import type { SearchResponse, SearchResult } from '@fabrica/contract';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { createGate, createGuardedFetcher, type GuardedResponse } from '../../../fetcher/index.ts';
import type { Search, SearchEngine } from './search-engine.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_PAGES = 5;

const CATEGORIES = { nws: 'news', isch: 'images', vid: 'videos', shop: 'shopping' } as const;

const text = z.string().catch('');
const mayBeText = z.string().nullish().catch(undefined);

const result = z.object({
  url: z.url({ protocol: /^https?$/ }),
  title: text,
  content: text,
  publishedDate: mayBeText,
  source: mayBeText,
  price: mayBeText,
  img_src: mayBeText,
  thumbnail: mayBeText,
  thumbnail_src: mayBeText,
});

const page = z.object({
  results: z.array(z.unknown()),
  suggestions: z.array(z.string()).catch([]),
});

type Page = z.infer<typeof page>;
type Result = z.infer<typeof result>;

interface SearxngOptions {
  /** URL of the SearXNG. */
  url: string;
  userAgent: string;
  /** Milliseconds for a search, all of its pages included; 10 s. */
  timeout?: number | undefined;
}

interface Searxng extends SearchEngine {
  close(): Promise<void>;
}

/** Creates a client of the operator’s SearXNG, whose `search.formats` must list json. */
export function createSearxng({ url, userAgent, timeout = TIMEOUT_MS }: SearxngOptions): Searxng {
  // The operator has named this host, which may be private.
  const { hostname, port, protocol } = new URL(url);
  const gate = createGate({ allowHosts: [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`] });
  const fetcher = createGuardedFetcher({ gate, userAgent });

  async function readPage(search: Search, number: number, { signal, deadline }: Limits): Promise<Page> {
    const response = await fetcher
      .fetch(searchUrl(url, search, number), {
        signal,
        headers: { accept: 'application/json' },
        maxBytes: MAX_BYTES,
        maxRedirects: 0,
        timeout: Math.max(1, Math.ceil(deadline - performance.now())),
      })
      .catch((cause: unknown) => {
        if (signal.aborted) throw cause;
        const isLate = cause instanceof AppError && cause.code === 'FETCH_TIMEOUT';
        throw searchFailed(
          isLate ? 'The search engine took too long.' : 'The search engine cannot be reached.',
          cause,
        );
      });
    return parsePage(response);
  }

  return {
    async search(search, signal) {
      const deadline = performance.now() + timeout;
      const found = new Map<string, Result>();
      const suggestions = new Set<string>();
      for (let number = 1; number <= MAX_PAGES && found.size < search.limit; number += 1) {
        const foundBefore = found.size;
        // Results that were found already are returned when a further page fails.
        const read = await readPage(search, number, { signal, deadline }).catch((error: unknown) => {
          if (foundBefore === 0 || signal.aborted) throw error;
        });
        for (const suggestion of read?.suggestions ?? []) suggestions.add(suggestion);
        for (const one of read?.results ?? []) {
          const { data } = result.safeParse(one);
          if (data && !found.has(data.url)) found.set(data.url, data);
        }
        if (found.size === foundBefore) break;
      }
      return present(search, [...found.values()].slice(0, search.limit), [...suggestions]);
    },
    close: () => fetcher.close(),
  };
}

interface Limits {
  signal: AbortSignal;
  /** Time of `performance.now()` when the search ends. */
  deadline: number;
}

function searchUrl(baseUrl: string, { query, language, kind }: Search, number: number): URL {
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/search`);
  url.search = new URLSearchParams({
    q: query,
    format: 'json',
    language,
    categories: kind ? CATEGORIES[kind] : 'general',
    pageno: String(number),
  }).toString();
  return url;
}

function parsePage({ status, body }: GuardedResponse): Page {
  if (status === 403) {
    throw searchFailed(
      'The search engine refuses to answer in JSON: its "search.formats" have to list json.',
    );
  }
  if (status !== 200) throw searchFailed(`The search engine answers with status ${status}.`);
  try {
    return page.parse(JSON.parse(Buffer.from(body).toString()));
  } catch (cause) {
    throw searchFailed('The search engine answers with something that is no list of results.', cause);
  }
}

function searchFailed(message: string, cause?: unknown): AppError {
  return new AppError('SEARCH_FAILED', message, { cause });
}

/**
 * Returns the response. Results of a kind are repeated under its own name, where clients of the contract look for them.
 */
function present(
  { query, language, kind }: Search,
  found: readonly Result[],
  related: string[],
): SearchResponse {
  const organic = found.map((one, index): SearchResult => {
    return { position: index + 1, title: one.title, link: one.url, snippet: one.content };
  });
  const response: SearchResponse = {
    search_parameters: { q: query, hl: language },
    organic_results: organic,
    related_searches: related,
  };
  const each = <T>(presentOne: (one: Result) => T) =>
    found.map((one, index) => ({ ...(organic[index] as SearchResult), ...presentOne(one) }));
  const sourceOf = ({ source, url }: Result) => source || new URL(url).hostname;
  switch (kind) {
    case 'nws':
      response.news_results = each((one) => ({ date: one.publishedDate ?? '', source: sourceOf(one) }));
      break;
    case 'isch':
      response.image_results = each(({ img_src, thumbnail_src, url }) => {
        const original = img_src || url;
        return { original, thumbnail: thumbnail_src || original };
      });
      break;
    case 'vid':
      response.video_results = each(({ thumbnail }) => ({ thumbnail: thumbnail ?? '' }));
      break;
    case 'shop':
      response.shopping_results = each((one) => ({ price: one.price ?? '', source: sourceOf(one) }));
      break;
    default:
  }
  return response;
}
