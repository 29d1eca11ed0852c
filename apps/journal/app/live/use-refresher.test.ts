import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRefresher } from './use-refresher.ts';

const OPTIONS = { spreadMs: 100, pauseMs: 1_000, retryMs: 2_000 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('answers a burst of announcements with one fetch, and those during it with one more', async () => {
  const fetches: (() => void)[] = [];
  const refresher = createRefresher(() => new Promise<void>((resolve) => fetches.push(resolve)), OPTIONS);
  for (let burst = 0; burst < 5; burst += 1) refresher.request();
  await vi.advanceTimersByTimeAsync(100);
  expect(fetches).toHaveLength(1);
  for (let burst = 0; burst < 5; burst += 1) refresher.request();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fetches).toHaveLength(1);
  fetches[0]?.();
  await vi.advanceTimersByTimeAsync(999);
  expect(fetches).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(101);
  expect(fetches).toHaveLength(2);
  fetches[1]?.();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(fetches).toHaveLength(2);
});

it('tries what failed again, later each time, tells the failure once, and stops when told to', async () => {
  const told = vi.fn();
  vi.stubGlobal('reportError', told);
  const fetchAnew = vi.fn(() => Promise.reject(new Error('Nobody thought of this.')));
  const refresher = createRefresher(fetchAnew, OPTIONS);
  refresher.request();
  await vi.advanceTimersByTimeAsync(100);
  expect(fetchAnew).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(fetchAnew).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(fetchAnew).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(fetchAnew).toHaveBeenCalledTimes(3);
  expect(told).toHaveBeenCalledTimes(1);
  refresher.stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(fetchAnew).toHaveBeenCalledTimes(3);
});
