import { setTimeout as wait } from 'node:timers/promises';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import { atMost, type Figures } from './figures.ts';
import { runVaried } from './load.ts';
import { memoryAtRest, residentMemory } from './measures.ts';
import { fillPosts } from './posts.ts';
import { LIST } from './rest.ts';

const POSTS = 10_000;

/** Measures the memory of the server at rest, under load, and a minute after it. */
export async function benchMemory(figures: Figures): Promise<void> {
  const server = await startServer({ DEMO: 'off' });
  const { pid } = server.process;
  try {
    figures.note('memory at rest, without content', await memoryAtRest(server), atMost(180, 'MB'));
    await fillPosts(server, POSTS);
    let peak = 0;
    const watching = setInterval(() => {
      peak = Math.max(peak, residentMemory(pid));
    }, 100);
    for (const template of ['/post/post_@ID', `${LIST}&created_at=lt.@TIME`]) {
      const headers = { 'accept-encoding': 'br' };
      await runVaried(server.url, {
        connections: 64,
        seconds: 15,
        headers,
        varied: { template, posts: POSTS },
      });
    }
    clearInterval(watching);
    figures.inform('memory under uncached pages and lists, at its peak', `${peak.toFixed(0)} MB`);
    await wait(60_000);
    const mapped = ` (${residentMemory(pid, 'RssFile').toFixed(0)} MB of it the mapped program and database)`;
    figures.note('memory a minute after them', residentMemory(pid), atMost(420, 'MB'), mapped);
  } finally {
    await server.close();
  }
}
