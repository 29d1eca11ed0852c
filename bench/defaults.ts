import { startServer } from '@fabrica/test-peers/start-server.ts';
import { atLeast, type Figures, rate } from './figures.ts';
import { compareWithBare } from './load.ts';
import { fillPosts } from './posts.ts';
import { LIST, POST } from './rest.ts';

/** Measures what is asked for most with every setting at its default, above all the request log. */
export async function benchDefaults(figures: Figures): Promise<void> {
  const server = await startServer({ DEMO: 'off', LOG_LEVEL: 'info' });
  // The log is read, as by a service manager, and not kept.
  server.process.stdout?.removeAllListeners('data').resume();
  const origin = server.url.replace('localhost', '127.0.0.1');
  try {
    await fillPosts(server, 10_000);
    for (const [what, path, goal] of [
      ['gallery page with the request log, brotli', '/gallery', 0.6],
      ['list of 24 with the request log', LIST, 0.7],
      ['one post by id with the request log', `${POST}5000`, 0.6],
    ] as const) {
      const headers: Record<string, string> = path === '/gallery' ? { 'accept-encoding': 'br' } : {};
      const found = await compareWithBare(origin + path, { headers });
      figures.note(what, found.ratio, atLeast(goal, ''), rate(found), found.noise);
    }
  } finally {
    await server.close();
  }
}
