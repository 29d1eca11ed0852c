import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNoticeList } from './notify.ts';

describe('the first notification area', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('the first area shows one notice at a time, the newest', () => {
    const list = createNoticeList();
    list.notify({ title: 'One' });
    list.notify({ title: 'Two' });
    expect(list.getNotices().map(({ title, open }) => [title, open])).toEqual([['Two', true]]);
  });

  it('a closed notice stays in memory for a million milliseconds, as product.md requires', () => {
    const list = createNoticeList();
    list.notify({ title: 'One' });
    list.close(list.getNotices()[0]?.id ?? 0);
    expect(list.getNotices().map(({ open }) => open)).toEqual([false]);
    vi.advanceTimersByTime(999_999);
    expect(list.getNotices()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(list.getNotices()).toEqual([]);
  });

  it('listeners are called for each change, until they unsubscribe', () => {
    const list = createNoticeList();
    const listener = vi.fn();
    const unsubscribe = list.subscribe(listener);
    list.notify({ title: 'One' });
    unsubscribe();
    list.notify({ title: 'Two' });
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
