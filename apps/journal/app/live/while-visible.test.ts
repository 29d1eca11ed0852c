import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whileVisible } from './while-visible.ts';

/** A tab that can be visible or hidden, in a browser without `requestIdleCallback`. */
class Tab extends EventTarget {
  visibilityState = 'visible';
  become(visibilityState: 'visible' | 'hidden') {
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

it('a live connection starts when the page is idle, stops after five minutes in a hidden tab, and starts again', () => {
  const end = whileVisible(start);
  expect(start).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MINUTE);
  expect(start).toHaveBeenCalledTimes(1);
  tab.become('hidden');
  vi.advanceTimersByTime(4 * MINUTE);
  tab.become('visible');
  vi.advanceTimersByTime(10 * MINUTE);
  expect([start.mock.calls.length, stop.mock.calls.length]).toEqual([1, 0]);
  tab.become('hidden');
  vi.advanceTimersByTime(5 * MINUTE);
  expect(stop).toHaveBeenCalledTimes(1);
  tab.become('visible');
  vi.advanceTimersByTime(MINUTE);
  expect(start).toHaveBeenCalledTimes(2);
  end();
  expect(stop).toHaveBeenCalledTimes(2);
});

it('a live connection does not start in a hidden tab, nor after its end', () => {
  tab.visibilityState = 'hidden';
  const end = whileVisible(start);
  vi.advanceTimersByTime(10 * MINUTE);
  expect(start).not.toHaveBeenCalled();
  tab.become('visible');
  end();
  tab.become('hidden');
  tab.become('visible');
  vi.advanceTimersByTime(10 * MINUTE);
  expect(start).not.toHaveBeenCalled();
});
