import { setTimeout as sleep } from 'node:timers/promises';
import {
  BrowserStandIn,
  type TabOptions,
  type TabStandIn,
} from '@fabrica/client/testing/browser-stand-in.ts';
import { RotationScript } from '@fabrica/client/testing/rotation-script.ts';
import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { START } from '@fabrica/client/testing/session-script.ts';
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

/** Mulberry32: the same course each time for one seed. */
function createChance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
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

/** Tabs fall asleep and wake at random, with what was told meanwhile delivered late or lost, and call when awake. */
async function spendTenMinutes(chance: (below: number) => number): Promise<void> {
  const asleep = new Set<OpenTab>();
  while (clock < START + MINUTES * 60_000) {
    clock += 1_000 + chance(45_000);
    const calls: Promise<unknown>[] = [];
    for (const tab of tabs) {
      if (asleep.has(tab)) {
        if (chance(3) > 0) continue;
        asleep.delete(tab);
        tab.window.wake({ lost: chance(2) === 0 });
      } else if (chance(3) === 0) {
        asleep.add(tab);
        tab.window.sleep();
        continue;
      }
      calls.push(list(tab));
      if (chance(4) === 0) await sleep(chance(3));
    }
    await Promise.all(calls);
  }
  for (const tab of asleep) tab.window.wake({ lost: true });
}

describe('twenty tabs with tokens of two minutes', () => {
  it.each<[string, TabOptions, number]>([
    ['Web Locks and a channel', {}, 1],
    ['Web Locks and a channel', {}, 2],
    ['a channel alone', { locks: false }, 3],
    ['a channel alone', { locks: false }, 4],
    ['the server’s grace alone', { locks: false, channel: false, storageEvents: false }, 5],
  ])('stay signed in through ten minutes of sleep and lost answers, by %s', async (_, options, seed) => {
    const chance = createChance(seed);
    let answers = 0;
    const script = new RotationScript(backend, {
      now: () => clock,
      accessTokenSeconds: ACCESS_TOKEN_SECONDS,
      async travel() {
        await sleep(chance(4));
        clock += chance(300);
        // Every third answer is lost, however the tabs' calls fall among each other.
        answers += 1;
        return answers % 3 === 0;
      },
    });
    tabs.push(await openTab(options));
    await tabs[0]?.client.auth.signInWithEmail('vesalia@example.org', 'de fabrica');
    while (tabs.length < TABS) tabs.push(await openTab(options));

    await spendTenMinutes(chance);
    await Promise.all(tabs.map(list));
    await sleep(5);

    expect(new Set(tabs.flatMap(({ states }) => states.slice(1)))).toEqual(new Set(['authenticated']));
    expect([script.reuses, script.liveFamilies]).toEqual([0, 1]);
    expect(script.lostAnswers).toBeGreaterThan(0);
    const tokens = tabs.map(({ client }) => client.auth.getState().tokens?.refresh_token);
    expect(new Set(tokens).size).toBe(1);
    const refreshes = backend.calls('POST /api/auth/refresh');
    expect(refreshes.length).toBeGreaterThan(MINUTES / 2);
    if (options.locks === false) return;
    // One refresh at a time: a token is sent once, and once more when its answer was lost.
    expect(refreshes.length).toBe(new Set(refreshes.map(({ text }) => text)).size + script.lostAnswers);
  });
});
