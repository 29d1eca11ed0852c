import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import { atLeast, type Figures, rate } from './figures.ts';
import { compareWithBare } from './load.ts';
import { fillPosts } from './posts.ts';
import { LIST, POST } from './rest.ts';

const ASSETS = fileURLToPath(new URL('../apps/journal/build/client/assets', import.meta.url));

/** Measures what the cache of responses sends, with every setting at its default, above all the request log. */
export async function benchDefaults(figures: Figures): Promise<void> {
  const server = await startServer({ DEMO: 'off', LOG_LEVEL: 'info' });
  // The log is read, as by a service manager, and not kept.
  server.process.stdout?.removeAllListeners('data').resume();
  const origin = server.url.replace('localhost', '127.0.0.1');
  try {
    await fillPosts(server, 10_000);
    for (const [what, path, goal] of [
      ['the gallery', '/gallery', 0.57],
      ['the gallery at its German address', '/gallery?lang=de', 0.57],
      ['a post at its German address', '/post/post_5000?lang=de', 0.57],
      ['a script of the build', largest('.js'), 0.65],
      ['a font of the build', largest('.woff2'), 0.65],
      ['the feed', '/feed.xml', 0.55],
      ['/healthz', '/healthz', 0.6],
      ['a list of 24, cached', LIST, 0.5],
      ['a post by id, cached', `${POST}5000`, 0.5],
    ] as const) {
      const found = await compareWithBare(origin + path, { headers: { 'accept-encoding': 'br' } });
      figures.note(`${what}, brotli accepted`, found.ratio, atLeast(goal, ''), rate(found), found.noise);
    }
  } finally {
    await server.close();
  }
}

/** Returns the path of the largest built file whose name ends so. */
function largest(ending: string): string {
  const size = (name: string) => statSync(join(ASSETS, name)).size;
  const [name] = readdirSync(ASSETS)
    .filter((one) => one.endsWith(ending))
    .sort((a, b) => size(b) - size(a));
  return `/assets/${name}`;
}
