import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { scriptedError } from '@fabrica/client/testing/session-script.ts';
import type { Insights } from '@fabrica/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClient, type FabricaClient } from '../client.ts';

const INSIGHTS = 'GET /api/analytics/journal/insights';
const RESPONSE: Insights = {
  from: '2026-11-20',
  to: '2026-11-20',
  scope: 'own',
  totals: { views: 1, readers: 1, completedReads: 0 },
  days: [{ day: '2026-11-20', views: 1, readers: 1, completedReads: 0 }],
  pages: [],
  languages: [],
  channels: [],
  referrers: [],
};

let backend: ScriptedServer;
let client: FabricaClient;

beforeEach(async () => {
  backend = await ScriptedServer.start();
  client = createClient({ projectId: 'journal', origin: backend.origin });
});
afterEach(() => backend.close());

it('the counts of a range of days are requested and returned', async () => {
  backend.on(INSIGHTS, { body: RESPONSE });
  expect(await client.insights({ from: '2026-11-20', to: '2026-11-20', scope: 'own' })).toEqual(RESPONSE);
  await client.insights();
  expect(backend.requests.map(({ query }) => query.toString())).toEqual([
    'from=2026-11-20&to=2026-11-20&scope=own',
    '',
  ]);
});

it('a rejected query fails with its code, and a response without counts is an error', async () => {
  backend.on(INSIGHTS, scriptedError(403, 'FORBIDDEN', 'You may see the figures of your own pages only.'));
  await expect(client.insights({ scope: 'all' })).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
  backend.on(INSIGHTS, { body: {} });
  await expect(client.insights()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
});
