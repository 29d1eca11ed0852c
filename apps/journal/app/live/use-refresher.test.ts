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

it('many requests to refresh cause one fetch, and those during a fetch cause one more', async () => {
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

it('a failed refresh is retried with growing delays, reported once, and ends with the refresher', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const refetch = vi.fn(() => Promise.reject(new Error('An unexpected error.')));
  const refresher = createRefresher(refetch, OPTIONS);
  refresher.request();
  await vi.advanceTimersByTimeAsync(100);
  expect(refetch).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(refetch).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(refetch).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(refetch).toHaveBeenCalledTimes(3);
  expect(reported).toHaveBeenCalledTimes(1);
  refresher.stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(refetch).toHaveBeenCalledTimes(3);
});
