import { AnalyticsFixture, logged, notLogged } from '@fabrica/client/testing/analytics-fixture.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FabricaClient } from '../client.ts';

const MINUTE = 60_000;
const QUEUE = 'fabrica_analytics_journal_queue';

let fixture: AnalyticsFixture;

beforeEach(() => {
  fixture = new AnalyticsFixture();
});
afterEach(() => {
  vi.restoreAllMocks();
  fixture.close();
});

function logMany(client: FabricaClient, count: number): void {
  for (const name of names(count)) client.analytics.log(name);
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `event-${index + 1}`);
}

function queued(): unknown[] {
  return JSON.parse(fixture.browser.getItem(QUEUE) ?? '[]').map(({ type }: { type: unknown }) => type);
}

function failNetwork(): never {
  throw new TypeError('Failed to fetch');
}

describe('sending', () => {
  it('events are sent when there are ten, or 3 s after the first one', async () => {
    const tab = fixture.openTab();
    logMany(tab, 9);
    await fixture.advance(2_999);
    expect(fixture.calls).toEqual([]);
    tab.analytics.log('event-10');
    await fixture.advance();
    expect(fixture.types()).toEqual([names(10)]);
    tab.analytics.log('first');
    await fixture.advance(2_000);
    tab.analytics.log('second');
    await fixture.advance(999);
    expect(fixture.calls).toHaveLength(1);
    await fixture.advance(1);
    expect(fixture.types().at(-1)).toEqual(['first', 'second']);
    expect(queued()).toEqual([]);
  });

  it('`flush` sends events at once', async () => {
    const tab = fixture.openTab();
    tab.analytics.log('now');
    const flushed = tab.analytics.flush();
    await fixture.advance();
    await flushed;
    expect(fixture.types()).toEqual([['now']]);
  });

  it('a call has a hundred events at most, and no more characters than `keepalive` allows', async () => {
    fixture.browser.setItem(QUEUE, JSON.stringify(names(150).map((type) => ({ type }))));
    fixture.openTab();
    await fixture.advance(3_000);
    expect(fixture.calls.map(({ events }) => events.length)).toEqual([100, 50]);
    fixture.calls.length = 0;
    const large = names(20).map((type) => ({ type, text: 'x'.repeat(3_000) }));
    fixture.browser.setItem(QUEUE, JSON.stringify(large));
    fixture.openTab();
    await fixture.advance(3_000);
    expect(fixture.types().flat()).toEqual(names(20));
    for (const { init } of fixture.calls) {
      expect(init.keepalive).toBe(true);
      expect(String(init.body).length).toBeLessThan(21_000);
    }
  });

  it.each([
    ['is closed', 'pagehide', 'visible'],
    ['is hidden', 'visibilitychange', 'hidden'],
  ])('events are sent at once when the page %s', async (_, type, visibilityState) => {
    const tab = fixture.openTab();
    tab.analytics.log('last');
    await fixture.advance();
    tab.window.dispatchEvent(new Event('visibilitychange'));
    expect(fixture.calls).toEqual([]);
    tab.window.document.visibilityState = visibilityState;
    tab.window.dispatchEvent(new Event(type));
    expect(fixture.types()).toEqual([['last']]);
    await fixture.advance(MINUTE);
    expect(fixture.calls).toHaveLength(1);
  });
});

describe('retrying', () => {
  it('events of an offline browser survive a reload and are sent when the network is back', async () => {
    const tab = fixture.openTab({ navigator: { onLine: false } });
    logMany(tab, 12);
    await fixture.advance(MINUTE);
    tab.window.dispatchEvent(new Event('pagehide'));
    tab.analytics.destroy();
    const reloaded = fixture.openTab({ navigator: { onLine: false } });
    reloaded.analytics.log('event-13');
    await fixture.advance(MINUTE);
    expect(fixture.calls).toEqual([]);
    reloaded.navigator.onLine = true;
    reloaded.window.dispatchEvent(new Event('online'));
    await fixture.advance();
    expect(fixture.types()).toEqual([names(13)]);
  });

  it('events of an earlier page are sent even if the next page logs nothing', async () => {
    fixture.respond = failNetwork;
    const tab = fixture.openTab();
    tab.analytics.log('left');
    await fixture.advance(3_000);
    tab.analytics.destroy();
    fixture.respond = logged;
    fixture.openTab();
    await fixture.advance(3_000);
    expect(fixture.types()).toEqual([['left'], ['left']]);
    expect(queued()).toEqual([]);
  });

  it.each([
    ['no response', failNetwork],
    ['429', () => notLogged(429)],
    ['503', () => notLogged(503)],
    ['the page of a captive portal', () => new Response('<html>Welcome</html>', { status: 200 })],
  ])('%s makes the client retry after growing delays', async (_, respond) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const tab = fixture.openTab();
    fixture.respond = respond;
    tab.analytics.log('event-1');
    await fixture.advance(3_000);
    expect(fixture.calls).toHaveLength(1);
    expect(queued()).toEqual(['event-1']);
    // Neither more events nor leaving the page hurry it.
    logMany(tab, 10);
    tab.window.dispatchEvent(new Event('pagehide'));
    await fixture.advance(7_400);
    expect(fixture.calls).toHaveLength(1);
    await fixture.advance(200);
    expect(fixture.calls).toHaveLength(2);
    await fixture.advance(13_300);
    expect(fixture.calls).toHaveLength(2);
    fixture.respond = logged;
    await fixture.advance(200);
    expect(fixture.types().at(-1)).toEqual(['event-1', ...names(10)]);
    expect(queued()).toEqual([]);
    tab.analytics.log('after');
    await fixture.advance(3_000);
    expect(fixture.types().at(-1)).toEqual(['after']);
  });

  it('nothing is sent before a Retry-After is over', async () => {
    const tab = fixture.openTab();
    fixture.respond = () => notLogged(429, { 'retry-after': '60' });
    tab.analytics.log('delayed');
    await fixture.advance(3_000);
    fixture.respond = logged;
    tab.window.dispatchEvent(new Event('online'));
    tab.window.dispatchEvent(new Event('pagehide'));
    await tab.analytics.flush();
    await fixture.advance(59_000);
    expect(fixture.calls).toHaveLength(1);
    await fixture.advance(1_000);
    expect(fixture.types().at(-1)).toEqual(['delayed']);
  });

  it.each([
    ['an hour', { 'retry-after': '60' }, -60 * MINUTE],
    ['a year', { 'retry-after': 'Sun, 22 Nov 2026 00:01:03 GMT' }, -365 * 24 * 60 * MINUTE],
  ])('a Retry-After is ignored after the clock was set back by %s', async (_, headers, jump) => {
    const tab = fixture.openTab();
    fixture.respond = () => notLogged(503, headers);
    tab.analytics.log('delayed');
    await fixture.advance(3_000);
    fixture.respond = logged;
    await tab.analytics.flush();
    expect(fixture.calls).toHaveLength(1);
    vi.setSystemTime(Date.now() + jump);
    void tab.analytics.flush();
    await fixture.advance();
    expect(fixture.types()).toEqual([['delayed'], ['delayed']]);
  });

  it('a timer that fires before a Retry-After is over does not send', async () => {
    const tab = fixture.openTab();
    fixture.respond = () => notLogged(429, { 'retry-after': '60' });
    tab.analytics.log('delayed');
    await fixture.advance(3_000);
    fixture.respond = logged;
    vi.setSystemTime(Date.now() - 5);
    await fixture.advance(60_000);
    expect(fixture.calls).toHaveLength(1);
    await fixture.advance(5);
    expect(fixture.types().at(-1)).toEqual(['delayed']);
    expect(fixture.calls).toHaveLength(2);
  });
});

describe('rejected events', () => {
  it('a faulty event does not hold back the other events of its call', async () => {
    const tab = fixture.openTab();
    const isBad = (type: unknown) => type === 'event-3' || type === 'event-10';
    fixture.respond = ({ events }) => (events.some(({ type }) => isBad(type)) ? notLogged(400) : logged());
    logMany(tab, 10);
    await fixture.advance(MINUTE);
    const accepted = fixture.types().filter((types) => !types.some(isBad));
    expect(accepted.flat()).toEqual(names(10).filter((name) => !isBad(name)));
    expect(queued()).toEqual([]);
    tab.analytics.log('after');
    await fixture.advance(3_000);
    expect(fixture.types().at(-1)).toEqual(['after']);
  });

  it.each([401, 403, 404])('a call that was rejected with %i is not retried', async (status) => {
    const tab = fixture.openTab();
    fixture.respond = () => notLogged(status);
    logMany(tab, 10);
    await fixture.advance(MINUTE);
    expect(fixture.calls).toHaveLength(1);
    expect(queued()).toEqual([]);
  });
});

describe('several tabs', () => {
  it('several tabs send each event once, even if they come online at the same time', async () => {
    const tabs = Array.from({ length: 5 }, () => fixture.openTab({ navigator: { onLine: false } }));
    for (const [index, tab] of tabs.entries()) tab.analytics.log(`event-${index + 1}`);
    await fixture.advance(MINUTE);
    for (const { navigator, window } of tabs) {
      navigator.onLine = true;
      window.dispatchEvent(new Event('online'));
    }
    await fixture.advance(MINUTE);
    expect(fixture.types().flat().toSorted()).toEqual(names(5));
  });

  it('several tabs send one after another', async () => {
    const gate = Promise.withResolvers<void>();
    const [one, two] = [fixture.openTab(), fixture.openTab()];
    fixture.respond = async () => {
      await gate.promise;
      return logged();
    };
    logMany(one, 10);
    await fixture.advance();
    fixture.respond = logged;
    logMany(two, 10);
    await fixture.advance(MINUTE);
    expect(fixture.calls).toHaveLength(1);
    gate.resolve();
    await fixture.advance();
    expect(fixture.types()).toEqual([names(10), names(10)]);
  });

  it('a tab without Web Locks sends its events', async () => {
    const tab = fixture.openTab({ locks: false });
    tab.analytics.log('event-1');
    await fixture.advance(3_000);
    expect(fixture.types()).toEqual([['event-1']]);
  });
});

describe('a storage', () => {
  it('events are sent even if the page has no access to the storage', async () => {
    const tab = fixture.browser.openTab();
    Object.defineProperty(tab, 'localStorage', {
      get() {
        throw new DOMException('Denied', 'SecurityError');
      },
    });
    const { analytics } = fixture.connect({ window: tab });
    analytics.log('event-1');
    analytics.log('event-2');
    await fixture.advance(3_000);
    const [call] = fixture.calls;
    expect(fixture.types()).toEqual([names(2)]);
    expect(call?.events[0]?.session_id).toBe(call?.events[1]?.session_id);
    analytics.disable();
    expect(analytics.isEnabled()).toBe(false);
  });

  it('events are sent even if the storage is full, and its old events do not come back', async () => {
    fixture.browser.setItem(QUEUE, JSON.stringify([{ type: 'old' }]));
    const tab = fixture.openTab();
    tab.window.localStorage.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    tab.analytics.log('event-1');
    await fixture.advance(3_000);
    expect(fixture.types()).toEqual([['old', 'event-1']]);
    expect(queued()).toEqual([]);
  });

  it('the storage holds the newest 500 events', async () => {
    const tab = fixture.openTab({ navigator: { onLine: false } });
    logMany(tab, 510);
    await fixture.advance(MINUTE);
    expect(queued()).toEqual(names(510).slice(10));
  });

  it.each(['not JSON', '{"type":"event"}', '[null]', '[{"type":1}]'])(
    'a storage that holds %s is overwritten',
    async (text) => {
      fixture.browser.setItem(QUEUE, text);
      fixture.browser.setItem('fabrica_analytics_journal_session', text);
      const tab = fixture.openTab();
      tab.analytics.log('event-1');
      await fixture.advance(3_000);
      expect(fixture.types()).toEqual([['event-1']]);
    },
  );
});

it('an invalid session in the storage does not change events', async () => {
  const poisoned = { id: 'x', at: Date.now(), channel: 'Direct', utm: { pathname: 5 } };
  fixture.browser.setItem('fabrica_analytics_journal_session', JSON.stringify(poisoned));
  fixture.openTab().analytics.log('event-1');
  await fixture.advance(3_000);
  expect(fixture.calls[0]?.events[0]?.pathname).toEqual(expect.any(String));
});

it('`destroy` removes all listeners, and waiting events stay stored', async () => {
  const tab = fixture.openTab();
  const before = tab.window.listenerCount;
  tab.analytics.log('event-1');
  await fixture.advance();
  expect(tab.window.listenerCount).toBeGreaterThan(before);
  tab.analytics.destroy();
  tab.analytics.log('late');
  expect(tab.window.listenerCount).toBe(before);
  await fixture.advance(MINUTE);
  expect(fixture.calls).toEqual([]);
  expect(queued()).toEqual(['event-1']);
});
