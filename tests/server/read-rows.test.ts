import { findWideReads, recordStatements } from '@fabrica/test-peers/read-rows.ts';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import { expect, it, onTestFinished } from 'vitest';

/** `npm run test:long` says another number. */
const POSTS = Number(process.env.POSTS ?? 10_000);

it('no statement that the site sends reads more than three rows for each that it returns', async () => {
  const recorder = recordStatements();
  onTestFinished(recorder.close);
  const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off', ...recorder.settings }, undefined, {
    fromSources: true,
  });
  onTestFinished(server.close);
  const { statements, wide } = await findWideReads(server, recorder, POSTS);
  expect(wide).toEqual([]);
  expect(statements).toBeGreaterThan(50);
});
