import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BrowserStandIn,
  type TabOptions,
  type TabStandIn,
} from '@fabrica/client/testing/browser-stand-in.ts';
import { RotationScript } from '@fabrica/client/testing/rotation-script.ts';
import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { START } from '@fabrica/client/testing/session-script.ts';
import { randomFrom } from '@fabrica/test-peers/random.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient, type FabricaClient } from '../../client.ts';
import type { AuthState } from '../auth-state.ts';

const TABS = 20;
const ACCESS_TOKEN_SECONDS = 120;
const MINUTES = 10;

interface OpenTab {
  window: TabStandIn;
  client: FabricaClient;
  states: AuthState['status'][];
}

let backend: ScriptedServer;
let browser: BrowserStandIn;
let clock: number;
let tabs: OpenTab[];

async function openTab(options: TabOptions): Promise<OpenTab> {
  const window = browser.openTab(undefined, options);
  const client = createClient({ projectId: 'journal', origin: backend.origin, window, now: () => clock });
  const states: AuthState['status'][] = [];
  client.auth.subscribe(({ status }) => states.push(status));
  await client.auth.ready();
  return { window, client, states };
}

function list({ client }: OpenTab): Promise<unknown> {
  return client.db.table('journalPosts').list();
}

beforeEach(async () => {
  backend = await ScriptedServer.start();
  browser = new BrowserStandIn();
  clock = START;
  tabs = [];
});

afterEach(async () => {
  for (const { client } of tabs) client.auth.destroy();
  await backend.close();
});

/** Waits some turns of the event loop, so that the calls of the tabs interleave. */
async function wait(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
}

/** Lets tabs sleep and wake up at random, with missed events delivered late or lost, and make calls while awake. */
async function runTenMinutes(random: (below: number) => number): Promise<void> {
  const asleep = new Set<OpenTab>();
  while (clock < START + MINUTES * 60_000) {
    clock += 1_000 + random(45_000);
    const calls: Promise<unknown>[] = [];
    for (const tab of tabs) {
      if (asleep.has(tab)) {
        if (random(3) > 0) continue;
        asleep.delete(tab);
        tab.window.wake({ lost: random(2) === 0 });
      } else if (random(3) === 0) {
        asleep.add(tab);
        tab.window.sleep();
        continue;
      }
      calls.push(list(tab));
      if (random(4) === 0) await wait(random(20));
    }
    await Promise.all(calls);
  }
  for (const tab of asleep) tab.window.wake({ lost: true });
}

describe('twenty tabs with tokens of two minutes', () => {
  it.each<[string, TabOptions, number]>([
    ['Web Locks and a channel', {}, 1],
    ['a channel only', { locks: false }, 3],
    ['the server’s 10 s only', { locks: false, channel: false, storageEvents: false }, 5],
  ])(
    'twenty tabs stay signed in through ten minutes of sleep and lost responses, with %s',
    async (_, options, seed) => {
      const numbers = randomFrom(seed);
      const random = (below: number) => Math.floor(numbers() * below);
      let responses = 0;
      const script = new RotationScript(backend, {
        now: () => clock,
        accessTokenSeconds: ACCESS_TOKEN_SECONDS,
        async loseResponse() {
          await wait(random(30));
          clock += random(300);
          // Every third response is lost, in whatever order the calls of the tabs come.
          responses += 1;
          return responses % 3 === 0;
        },
      });
      tabs.push(await openTab(options));
      await tabs[0]?.client.auth.signInWithEmail('vesalia@example.org', 'de fabrica');
      while (tabs.length < TABS) tabs.push(await openTab(options));

      await runTenMinutes(random);
      await Promise.all(tabs.map(list));

      const refreshTokens = () => tabs.map(({ client }) => client.auth.getState().tokens?.refresh_token);
      await expect.poll(() => new Set(refreshTokens()).size).toBe(1);
      expect(new Set(tabs.flatMap(({ states }) => states.slice(1)))).toEqual(new Set(['authenticated']));
      expect([script.reuses, script.liveFamilies]).toEqual([0, 1]);
      expect(script.lostResponses).toBeGreaterThan(0);
      const refreshes = backend.calls('POST /api/auth/refresh');
      expect(refreshes.length).toBeGreaterThan(MINUTES / 2);
      if (options.locks === false) return;
      // With locks there is one refresh at a time: a token is sent once, and again if its response was lost.
      expect(refreshes.length).toBe(new Set(refreshes.map(({ text }) => text)).size + script.lostResponses);
    },
  );
});
