import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import { expect, onTestFinished, test } from 'vitest';
import { gallery } from '../../../apps/journal/messages/en/gallery.ts';

test('a search that the database cannot answer says so with status 503, and the gallery goes on', async () => {
  const server = await startServer({ DEMO: 'off' });
  onTestFinished(() => server.close());
  const database = new DatabaseSync(join(server.dataDir, 'journal.sqlite'));
  database.exec('DROP VIEW searchable_posts');
  database.close();
  const failed = await fetch(`${server.url}/gallery?search=heart&lang=en`);
  expect(failed.status).toBe(503);
  const page = await failed.text();
  expect(page).toContain(gallery.failedTitle);
  expect(page).toContain(gallery.tryAgain);
  expect(page).not.toContain(gallery.empty);
  expect((await fetch(`${server.url}/gallery?lang=en`)).status).toBe(200);
});
