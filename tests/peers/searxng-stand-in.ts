/**
 * A stand-in for SearXNG: it responds to `GET /search?format=json` with JSON of the same shape, which has twenty results
 * on each of three pages. The results repeat the query. `respondWith` replaces its responses.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PER_PAGE = 20;
const PAGES = 3;

export interface SearxngStandIn {
  /** The value of SEARCH_URL. */
  url: string;
  /** The received searches, oldest first. */
  searches: { query: Record<string, string>; headers: IncomingMessage['headers'] }[];
  /** Responds in this way from now on; without an argument, as SearXNG does. */
  respondWith(handler?: (request: IncomingMessage, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function startSearxngStandIn(): Promise<SearxngStandIn> {
  const searches: SearxngStandIn['searches'] = [];
  let other: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://searxng');
    searches.push({ query: Object.fromEntries(searchParams), headers: request.headers });
    if (other) return other(request, response);
    if (pathname !== '/search') return void response.writeHead(404).end();
    const { q = '', categories = '', pageno = '1', format } = Object.fromEntries(searchParams);
    if (format !== 'json')
      return void response.writeHead(403, { 'content-type': 'text/html' }).end('Forbidden');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(page(q, categories, Number(pageno))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    searches,
    respondWith(handler) {
      other = handler;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function page(query: string, category: string, number: number) {
  const results = Array.from({ length: number > PAGES ? 0 : PER_PAGE }, (_, index) => {
    const position = (number - 1) * PER_PAGE + index + 1;
    const url = `https://site-${position}.example/${category}`;
    return {
      url,
      title: `${query} ${position}`,
      content: `About ${query}, ${category}.`,
      engine: 'stand-in',
      engines: ['stand-in'],
      positions: [index + 1],
      score: 1 / position,
      category,
      parsed_url: ['https', `site-${position}.example`, `/${category}`, '', '', ''],
      publishedDate: category === 'news' ? '2026-11-20T08:00:00' : null,
      thumbnail: category === 'videos' ? `${url}.jpg` : '',
      ...(category === 'news' && position === 1 && { source: 'The Paper' }),
      ...(category === 'images' && {
        template: 'images.html',
        img_src: `${url}.png`,
        thumbnail_src: `${url}-small.png`,
        source: 'A gallery',
        resolution: '800 x 600',
      }),
      ...(category === 'shopping' && { template: 'products.html', price: '12.50 EUR', shipping: '' }),
    };
  });
  return {
    query,
    number_of_results: 0,
    results,
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: number === 1 ? [`${query} explained`] : [],
    unresponsive_engines: [['other', 'timeout']],
  };
}
