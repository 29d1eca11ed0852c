import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNoticeList } from './toasts.tsx';

describe('the list of a notification area', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('the first area shows one notice at a time, the newest', () => {
    const list = createNoticeList(1);
    list.show({ title: 'One' });
    list.show({ title: 'Two' });
    expect(list.getNotices().map(({ title, open }) => [title, open])).toEqual([['Two', true]]);
  });

  it('a closed notice stays in memory for a million milliseconds, as product.md requires', () => {
    const list = createNoticeList(1);
    list.show({ title: 'One' });
    list.close(list.getNotices()[0]?.key ?? 0);
    expect(list.getNotices().map(({ open }) => open)).toEqual([false]);
    vi.advanceTimersByTime(999_999);
    expect(list.getNotices()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(list.getNotices()).toEqual([]);
  });

  it('listeners are called for each change, until they unsubscribe', () => {
    const list = createNoticeList(1);
    const listener = vi.fn();
    const unsubscribe = list.subscribe(listener);
    list.show({ title: 'One' });
    unsubscribe();
    list.show({ title: 'Two' });
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('an area of three drops the oldest notice for a fourth, and a closed one before any that is open', () => {
    const list = createNoticeList(3);
    for (const title of ['One', 'Two', 'Three']) list.show({ title });
    list.close(list.getNotices()[0]?.key ?? 0);
    list.show({ title: 'Four' });
    expect(list.getNotices().map(({ title }) => title)).toEqual(['Four', 'Two', 'One']);
    list.show({ title: 'Five' });
    expect(list.getNotices().map(({ title }) => title)).toEqual(['Five', 'Four', 'Two']);
  });

  it('a notice replaces the one with its id, and is announced anew unless it only tells the progress', () => {
    const list = createNoticeList(3);
    const showKey = (tone: 'loading' | 'error') => {
      list.show({ id: 'translating', title: tone, tone });
      return list.getNotices().map(({ key }) => key);
    };
    const [first] = showKey('loading');
    expect(showKey('loading')).toEqual([first]);
    const [failed] = showKey('error');
    expect(failed).not.toBe(first);
    expect(showKey('error')).not.toEqual([failed]);
    expect(list.getNotices()).toHaveLength(1);
    list.dismiss('translating');
    expect(list.getNotices()).toEqual([]);
  });
});
