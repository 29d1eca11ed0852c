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

export interface SearxngOptions {
  /** Where it is. */
  url: string;
  userAgent: string;
  /** Milliseconds for a search, all of its pages included; 10 s. */
  timeout?: number | undefined;
}

export interface Searxng extends SearchEngine {
  close(): Promise<void>;
}

/** A SearXNG of the operator's (its JSON format has to be allowed there: `search.formats`). */
export function createSearxng({ url, userAgent, timeout = TIMEOUT_MS }: SearxngOptions): Searxng {
  // The operator has named this one place, which may well be a private one.
  const { hostname, port, protocol } = new URL(url);
  const gate = createGate({ allowHosts: [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`] });
  const fetcher = createGuardedFetcher({ gate, userAgent });

  async function readPage(search: Search, number: number, { signal, ends }: Limits): Promise<Page> {
    const answer = await fetcher
      .fetch(addressOf(url, search, number), {
        signal,
        headers: { accept: 'application/json' },
        maxBytes: MAX_BYTES,
        maxRedirects: 0,
        timeout: Math.max(1, Math.ceil(ends - performance.now())),
      })
      .catch((cause: unknown) => {
        if (signal.aborted) throw cause;
        const late = cause instanceof AppError && cause.code === 'FETCH_TIMEOUT';
        throw failed(
          late ? 'The search engine took too long.' : 'The search engine cannot be reached.',
          cause,
        );
      });
    return parsePage(answer);
  }

  return {
    async search(search, signal) {
      const ends = performance.now() + timeout;
      const found = new Map<string, Result>();
      const suggestions = new Set<string>();
      for (let number = 1; number <= MAX_PAGES && found.size < search.limit; number += 1) {
        const known = found.size;
        // What was found already is worth more than the rest of it.
        const read = await readPage(search, number, { signal, ends }).catch((error: unknown) => {
          if (known === 0 || signal.aborted) throw error;
        });
        for (const suggestion of read?.suggestions ?? []) suggestions.add(suggestion);
        for (const one of read?.results ?? []) {
          const { data } = result.safeParse(one);
          if (data && !found.has(data.url)) found.set(data.url, data);
        }
        if (found.size === known) break;
      }
      return present(search, [...found.values()].slice(0, search.limit), [...suggestions]);
    },
    close: () => fetcher.close(),
  };
}

interface Limits {
  signal: AbortSignal;
  /** Of `performance.now()`. */
  ends: number;
}

function addressOf(baseUrl: string, { query, language, kind }: Search, number: number): URL {
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
    throw failed('The search engine refuses to answer in JSON: its "search.formats" have to list json.');
  }
  if (status !== 200) throw failed(`The search engine answers with status ${status}.`);
  try {
    return page.parse(JSON.parse(Buffer.from(body).toString()));
  } catch (cause) {
    throw failed('The search engine answers with something that is no list of results.', cause);
  }
}

function failed(sentence: string, cause?: unknown): AppError {
  return new AppError('SEARCH_FAILED', sentence, { cause });
}

/** Results of a kind stand under its own name too, as clients of the contract look for them there. */
function present(
  { query, language, kind }: Search,
  found: readonly Result[],
  related: string[],
): SearchResponse {
  const organic = found.map((one, index): SearchResult => {
    return { position: index + 1, title: one.title, link: one.url, snippet: one.content };
  });
  const answer: SearchResponse = {
    search_parameters: { q: query, hl: language },
    organic_results: organic,
    related_searches: related,
  };
  const each = <T>(presentOne: (one: Result) => T) =>
    found.map((one, index) => ({ ...(organic[index] as SearchResult), ...presentOne(one) }));
  const sourceOf = ({ source, url }: Result) => source || new URL(url).hostname;
  switch (kind) {
    case 'nws':
      answer.news_results = each((one) => ({ date: one.publishedDate ?? '', source: sourceOf(one) }));
      break;
    case 'isch':
      answer.image_results = each(({ img_src, thumbnail_src, url }) => {
        const original = img_src || url;
        return { original, thumbnail: thumbnail_src || original };
      });
      break;
    case 'vid':
      answer.video_results = each(({ thumbnail }) => ({ thumbnail: thumbnail ?? '' }));
      break;
    case 'shop':
      answer.shopping_results = each((one) => ({ price: one.price ?? '', source: sourceOf(one) }));
      break;
    default:
  }
  return answer;
}
