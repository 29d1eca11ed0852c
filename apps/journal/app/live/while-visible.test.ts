import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whileWatched } from './while-watched.ts';

/** A tab that is shown or hidden; nothing tells when it is idle, as in Safari. */
class Tab extends EventTarget {
  visibilityState = 'visible';
  turn(visibilityState: 'visible' | 'hidden') {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

const MINUTE = 60_000;
let tab: Tab;
const stop = vi.fn();
const start = vi.fn(() => stop);

beforeEach(() => {
  tab = new Tab();
  start.mockClear();
  stop.mockClear();
  vi.useFakeTimers();
  vi.stubGlobal('document', tab);
  vi.stubGlobal('window', {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('begins after the page is there, lets go when hidden for five minutes, and begins anew when shown', () => {
  const end = whileWatched(start);
  expect(start).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MINUTE);
  expect(start).toHaveBeenCalledTimes(1);
  tab.turn('hidden');
  vi.advanceTimersByTime(4 * MINUTE);
  tab.turn('visible');
  vi.advanceTimersByTime(10 * MINUTE);
  expect([start.mock.calls.length, stop.mock.calls.length]).toEqual([1, 0]);
  tab.turn('hidden');
  vi.advanceTimersByTime(5 * MINUTE);
  expect(stop).toHaveBeenCalledTimes(1);
  tab.turn('visible');
  vi.advanceTimersByTime(MINUTE);
  expect(start).toHaveBeenCalledTimes(2);
  end();
  expect(stop).toHaveBeenCalledTimes(2);
});

it('waits for a look in a tab that was opened behind others, and never begins once it is ended', () => {
  tab.visibilityState = 'hidden';
  const end = whileWatched(start);
  vi.advanceTimersByTime(10 * MINUTE);
  expect(start).not.toHaveBeenCalled();
  tab.turn('visible');
  end();
  tab.turn('hidden');
  tab.turn('visible');
  vi.advanceTimersByTime(10 * MINUTE);
  expect(start).not.toHaveBeenCalled();
});
