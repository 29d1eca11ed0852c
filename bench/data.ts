import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atMost, type Figures } from './figures.ts';
import { median } from './load.ts';
import { healthDuring } from './measures.ts';

const ARTICLE_BYTES = 1_000_000;
const EXTRACTIONS = 60;

/** Measures the extraction of a large page, and the latency of other calls meanwhile. */
export async function benchData(figures: Figures): Promise<void> {
  const article = Buffer.from(buildArticle());
  const site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(article);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  const server = await startServer({
    DEMO: 'off',
    RATE_LIMIT: 'off',
    DATA_ALLOW_HOSTS: `127.0.0.1:${port}`,
  });
  try {
    const { token } = await signUp(server);
    const extract = () => extractFrom(server, token, `http://127.0.0.1:${port}/`);
    const first = await extract();
    const times: number[] = [];
    const health = await healthDuring(server, async () => {
      for (let count = 0; count < EXTRACTIONS; count += 1) times.push(await extract());
    });
    const extra = ` (the slowest of ${EXTRACTIONS}: ${Math.max(...times).toFixed(0)} ms)`;
    figures.note('an article of 1 MB, fetched and extracted', median(times), atMost(500, 'ms'), extra);
    figures.inform('the very first one, its threads being started', `${first.toFixed(0)} ms`);
    figures.note('p99 of /healthz while articles are extracted', health, atMost(20, 'ms'));
  } finally {
    await server.close();
    site.close();
  }
}

/** Returns the milliseconds of one extraction. */
async function extractFrom(server: RunningServer, token: string, url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${server.url}/api/data/journal/extract-from-url`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  const text = Buffer.from(await response.arrayBuffer());
  const took = performance.now() - started;
  if (!text.includes('the heart is a pump')) throw new Error(`An extraction returned ${response.status}.`);
  return took;
}

/** Builds a page like a journal's article: headings, paragraphs with links, tables, figures, and a menu around. */
function buildArticle(): string {
  const parts: string[] = [];
  let size = 0;
  for (let section = 1; size < ARTICLE_BYTES - 4_000; section += 1) {
    const sentence = `In section ${section} the heart is a pump, of <em>four chambers</em>, as <a href="/ref/${section}">Harvey (${1600 + section})</a> wrote; `;
    const rows = [1, 2, 3]
      .map((row) => `<tr><td>${section}.${row}</td><td>${row * 17} ml</td></tr>`)
      .join('');
    const part = [
      `<h2 id="s${section}">Section ${section}</h2>`,
      ...Array.from({ length: 4 }, () => `<p>${sentence.repeat(4)}its valves close by themselves.</p>`),
      `<figure><img src="/figures/${section}.png" alt="Figure ${section}"><figcaption>Figure ${section}</figcaption></figure>`,
      `<table><tr><th>Part</th><th>Volume</th></tr>${rows}</table>`,
    ].join('\n');
    parts.push(part);
    size += Buffer.byteLength(part);
  }
  const menu = Array.from({ length: 60 }, (_, at) => `<li><a href="/menu/${at}">Menu ${at}</a></li>`).join(
    '',
  );
  return `<!doctype html><html lang="en"><head><title>On the heart</title><meta name="description" content="A treatise">
<script>window.data = ${JSON.stringify({ menu: menu.slice(0, 500) })};</script><style>p { margin: 0 }</style></head>
<body><nav><ul>${menu}</ul></nav><main><article><h1>On the heart</h1>${parts.join('\n')}</article></main>
<footer><p>Imprint</p></footer></body></html>`;
}
