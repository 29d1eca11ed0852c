import { AnalyticsFixture, accept, refuse } from '@fabrica/client/testing/analytics-fixture.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FabricaClient } from '../client.ts';

const MINUTE = 60_000;
const QUEUE = 'fabrica_analytics_journal_queue';

let stage: AnalyticsFixture;

beforeEach(() => {
  stage = new AnalyticsFixture();
});
afterEach(() => {
  vi.restoreAllMocks();
  stage.close();
});

function logMany(client: FabricaClient, count: number): void {
  for (const name of names(count)) client.analytics.log(name);
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `event-${index + 1}`);
}

function queued(): unknown[] {
  return JSON.parse(stage.browser.getItem(QUEUE) ?? '[]').map(({ type }: { type: unknown }) => type);
}

function dead(): never {
  throw new TypeError('Failed to fetch');
}

describe('events are sent', () => {
  it('ten at once, or all there are 3 s after the first', async () => {
    const tab = stage.openTab();
    logMany(tab, 9);
    await stage.pass(2_999);
    expect(stage.calls).toEqual([]);
    tab.analytics.log('event-10');
    await stage.pass();
    expect(stage.types()).toEqual([names(10)]);
    tab.analytics.log('first');
    await stage.pass(2_000);
    tab.analytics.log('second');
    await stage.pass(999);
    expect(stage.calls).toHaveLength(1);
    await stage.pass(1);
    expect(stage.types().at(-1)).toEqual(['first', 'second']);
    expect(queued()).toEqual([]);
  });

  it('at once by `flush`', async () => {
    const tab = stage.openTab();
    tab.analytics.log('now');
    const flushed = tab.analytics.flush();
    await stage.pass();
    await flushed;
    expect(stage.types()).toEqual([['now']]);
  });

  it('a hundred in a call at most, and no more than may outlive the page', async () => {
    stage.browser.setItem(QUEUE, JSON.stringify(names(150).map((type) => ({ type }))));
    stage.openTab();
    await stage.pass(3_000);
    expect(stage.calls.map(({ events }) => events.length)).toEqual([100, 50]);
    stage.calls.length = 0;
    const large = names(20).map((type) => ({ type, text: 'x'.repeat(3_000) }));
    stage.browser.setItem(QUEUE, JSON.stringify(large));
    stage.openTab();
    await stage.pass(3_000);
    expect(stage.types().flat()).toEqual(names(20));
    for (const { init } of stage.calls) {
      expect(init.keepalive).toBe(true);
      expect(String(init.body).length).toBeLessThan(21_000);
    }
  });

  it.each([
    ['is left', 'pagehide', 'visible'],
    ['is hidden', 'visibilitychange', 'hidden'],
  ])('when the page %s, before the browser goes on', async (_, type, visibilityState) => {
    const tab = stage.openTab();
    tab.analytics.log('last');
    await stage.pass();
    tab.window.dispatchEvent(new Event('visibilitychange'));
    expect(stage.calls).toEqual([]);
    tab.window.document.visibilityState = visibilityState;
    tab.window.dispatchEvent(new Event(type));
    expect(stage.types()).toEqual([['last']]);
    await stage.pass(MINUTE);
    expect(stage.calls).toHaveLength(1);
  });
});

describe('nothing is lost', () => {
  it('while the browser is offline, nor by a reload; it is sent when the network is back', async () => {
    const tab = stage.openTab({ navigator: { onLine: false } });
    logMany(tab, 12);
    await stage.pass(MINUTE);
    tab.window.dispatchEvent(new Event('pagehide'));
    tab.analytics.destroy();
    const reloaded = stage.openTab({ navigator: { onLine: false } });
    reloaded.analytics.log('event-13');
    await stage.pass(MINUTE);
    expect(stage.calls).toEqual([]);
    reloaded.navigator.onLine = true;
    reloaded.window.dispatchEvent(new Event('online'));
    await stage.pass();
    expect(stage.types()).toEqual([names(13)]);
  });

  it('when nothing is logged at the next start', async () => {
    stage.answer = dead;
    const tab = stage.openTab();
    tab.analytics.log('left');
    await stage.pass(3_000);
    tab.analytics.destroy();
    stage.answer = accept;
    stage.openTab();
    await stage.pass(3_000);
    expect(stage.types()).toEqual([['left'], ['left']]);
    expect(queued()).toEqual([]);
  });

  it.each([
    ['no answer', dead],
    ['429', () => refuse(429)],
    ['503', () => refuse(503)],
    ['a captive portal', () => new Response('<html>Welcome</html>', { status: 200 })],
  ])('by %s: it is tried again, later and later', async (_, answer) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const tab = stage.openTab();
    stage.answer = answer;
    tab.analytics.log('event-1');
    await stage.pass(3_000);
    expect(stage.calls).toHaveLength(1);
    expect(queued()).toEqual(['event-1']);
    // Neither more events nor leaving the page hurry it.
    logMany(tab, 10);
    tab.window.dispatchEvent(new Event('pagehide'));
    await stage.pass(7_400);
    expect(stage.calls).toHaveLength(1);
    await stage.pass(200);
    expect(stage.calls).toHaveLength(2);
    await stage.pass(13_300);
    expect(stage.calls).toHaveLength(2);
    stage.answer = accept;
    await stage.pass(200);
    expect(stage.types().at(-1)).toEqual(['event-1', ...names(10)]);
    expect(queued()).toEqual([]);
    tab.analytics.log('after');
    await stage.pass(3_000);
    expect(stage.types().at(-1)).toEqual(['after']);
  });

  it('by being asked to wait, and nothing is sent meanwhile', async () => {
    const tab = stage.openTab();
    stage.answer = () => refuse(429, { 'retry-after': '60' });
    tab.analytics.log('patient');
    await stage.pass(3_000);
    stage.answer = accept;
    tab.window.dispatchEvent(new Event('online'));
    tab.window.dispatchEvent(new Event('pagehide'));
    await tab.analytics.flush();
    await stage.pass(59_000);
    expect(stage.calls).toHaveLength(1);
    await stage.pass(1_000);
    expect(stage.types().at(-1)).toEqual(['patient']);
  });

  it.each([
    ['an hour', { 'retry-after': '60' }, -60 * MINUTE],
    ['a year', { 'retry-after': 'Sun, 22 Nov 2026 00:01:03 GMT' }, -365 * 24 * 60 * MINUTE],
  ])('by a clock that is set back by %s after being asked to wait', async (_, headers, jump) => {
    const tab = stage.openTab();
    stage.answer = () => refuse(503, headers);
    tab.analytics.log('patient');
    await stage.pass(3_000);
    stage.answer = accept;
    await tab.analytics.flush();
    expect(stage.calls).toHaveLength(1);
    vi.setSystemTime(Date.now() + jump);
    void tab.analytics.flush();
    await stage.pass();
    expect(stage.types()).toEqual([['patient'], ['patient']]);
  });

  it('by a timer that comes before the rest is over', async () => {
    const tab = stage.openTab();
    stage.answer = () => refuse(429, { 'retry-after': '60' });
    tab.analytics.log('patient');
    await stage.pass(3_000);
    stage.answer = accept;
    vi.setSystemTime(Date.now() - 5);
    await stage.pass(60_000);
    expect(stage.calls).toHaveLength(1);
    await stage.pass(5);
    expect(stage.types().at(-1)).toEqual(['patient']);
    expect(stage.calls).toHaveLength(2);
  });
});

describe('what is refused', () => {
  it('does not keep back what came with it', async () => {
    const tab = stage.openTab();
    const isBad = (type: unknown) => type === 'event-3' || type === 'event-10';
    stage.answer = ({ events }) => (events.some(({ type }) => isBad(type)) ? refuse(400) : accept());
    logMany(tab, 10);
    await stage.pass(MINUTE);
    const taken = stage.types().filter((types) => !types.some(isBad));
    expect(taken.flat()).toEqual(names(10).filter((name) => !isBad(name)));
    expect(queued()).toEqual([]);
    tab.analytics.log('after');
    await stage.pass(3_000);
    expect(stage.types().at(-1)).toEqual(['after']);
  });

  it.each([401, 403, 404])('with %i is not asked again', async (status) => {
    const tab = stage.openTab();
    stage.answer = () => refuse(status);
    logMany(tab, 10);
    await stage.pass(MINUTE);
    expect(stage.calls).toHaveLength(1);
    expect(queued()).toEqual([]);
  });
});

describe('several tabs', () => {
  it('send each event once, also when all come back online at the same moment', async () => {
    const tabs = Array.from({ length: 5 }, () => stage.openTab({ navigator: { onLine: false } }));
    for (const [index, tab] of tabs.entries()) tab.analytics.log(`event-${index + 1}`);
    await stage.pass(MINUTE);
    for (const { navigator, window } of tabs) {
      navigator.onLine = true;
      window.dispatchEvent(new Event('online'));
    }
    await stage.pass(MINUTE);
    expect(stage.types().flat().toSorted()).toEqual(names(5));
  });

  it('send one after another', async () => {
    const held = Promise.withResolvers<void>();
    const [one, two] = [stage.openTab(), stage.openTab()];
    stage.answer = async () => {
      await held.promise;
      return accept();
    };
    logMany(one, 10);
    await stage.pass();
    stage.answer = accept;
    logMany(two, 10);
    await stage.pass(MINUTE);
    expect(stage.calls).toHaveLength(1);
    held.resolve();
    await stage.pass();
    expect(stage.types()).toEqual([names(10), names(10)]);
  });

  it('do without Web Locks where there are none', async () => {
    const tab = stage.openTab({ locks: false });
    tab.analytics.log('event-1');
    await stage.pass(3_000);
    expect(stage.types()).toEqual([['event-1']]);
  });
});

describe('a storage', () => {
  it('that is closed to the page is done without', async () => {
    const tab = stage.browser.openTab();
    Object.defineProperty(tab, 'localStorage', {
      get() {
        throw new DOMException('Denied', 'SecurityError');
      },
    });
    const { analytics } = stage.connect({ window: tab });
    analytics.log('event-1');
    analytics.log('event-2');
    await stage.pass(3_000);
    const [call] = stage.calls;
    expect(stage.types()).toEqual([names(2)]);
    expect(call?.events[0]?.session_id).toBe(call?.events[1]?.session_id);
    analytics.disable();
    expect(analytics.isEnabled()).toBe(false);
  });

  it('that is full is done without, and old events do not come back from it', async () => {
    stage.browser.setItem(QUEUE, JSON.stringify([{ type: 'old' }]));
    const tab = stage.openTab();
    tab.window.localStorage.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    tab.analytics.log('event-1');
    await stage.pass(3_000);
    expect(stage.types()).toEqual([['old', 'event-1']]);
    expect(queued()).toEqual([]);
  });

  it('holds 500 events, the newest', async () => {
    const tab = stage.openTab({ navigator: { onLine: false } });
    logMany(tab, 510);
    await stage.pass(MINUTE);
    expect(queued()).toEqual(names(510).slice(10));
  });

  it.each(['no JSON', '{"type":"event"}', '[null]', '[{"type":1}]'])(
    'that holds %s is begun anew',
    async (text) => {
      stage.browser.setItem(QUEUE, text);
      stage.browser.setItem('fabrica_analytics_journal_session', text);
      const tab = stage.openTab();
      tab.analytics.log('event-1');
      await stage.pass(3_000);
      expect(stage.types()).toEqual([['event-1']]);
    },
  );
});

it('a session that is not ours has no say in events', async () => {
  const poisoned = { id: 'x', at: Date.now(), channel: 'Direct', utm: { pathname: 5 } };
  stage.browser.setItem('fabrica_analytics_journal_session', JSON.stringify(poisoned));
  stage.openTab().analytics.log('event-1');
  await stage.pass(3_000);
  expect(stage.calls[0]?.events[0]?.pathname).toEqual(expect.any(String));
});

it('`destroy` takes away all that was set up, and what waits stays', async () => {
  const tab = stage.openTab();
  const before = tab.window.listenerCount;
  tab.analytics.log('event-1');
  await stage.pass();
  expect(tab.window.listenerCount).toBeGreaterThan(before);
  tab.analytics.destroy();
  tab.analytics.log('late');
  expect(tab.window.listenerCount).toBe(before);
  await stage.pass(MINUTE);
  expect(stage.calls).toEqual([]);
  expect(queued()).toEqual(['event-1']);
});
