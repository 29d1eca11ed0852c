import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNoticeList } from './notify.ts';

describe('the first notification area', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('shows one notice at a time, the newest', () => {
    const list = createNoticeList();
    list.notify({ title: 'One' });
    list.notify({ title: 'Two' });
    expect(list.getNotices().map(({ title, open }) => [title, open])).toEqual([['Two', true]]);
  });

  it('keeps a closed notice for a million milliseconds, as product.md asks', () => {
    const list = createNoticeList();
    list.notify({ title: 'One' });
    list.close(list.getNotices()[0]?.id ?? 0);
    expect(list.getNotices().map(({ open }) => open)).toEqual([false]);
    vi.advanceTimersByTime(999_999);
    expect(list.getNotices()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(list.getNotices()).toEqual([]);
  });

  it('tells its listeners of each change, until they leave', () => {
    const list = createNoticeList();
    const heard = vi.fn();
    const leave = list.subscribe(heard);
    list.notify({ title: 'One' });
    leave();
    list.notify({ title: 'Two' });
    expect(heard).toHaveBeenCalledTimes(1);
  });
});
