import { expect, test } from 'vitest';
import { type AcquireOptions, Semaphore, type SemaphoreOptions } from './semaphore.ts';

/** Starts work that ends when it is told to, and notes the order in which it starts. */
function build(options: SemaphoreOptions) {
  const semaphore = new Semaphore(options);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, given: AcquireOptions = {}) =>
    semaphore.run(async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    }, given);
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { semaphore, started, run, end };
}

/** Resolves once every promise that can settle by now has settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a semaphore lets as many work as it has permits, and the others in the order in which they came', async () => {
  const { started, run, end } = build({ concurrency: 2 });
  const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => run(name)));
  await settled();
  expect(started).toEqual(['a', 'b']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await end(name);
  expect(await all).toEqual(['a', 'b', 'c', 'd']);
});

test('a semaphore gives the permit of work that throws to the next call', async () => {
  const semaphore = new Semaphore({ concurrency: 1 });
  const failing = semaphore.run(() => Promise.reject(new Error('no')));
  const next = semaphore.run(() => 'next');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
});

test('a semaphore lets a call that waited go before one that comes later', async () => {
  const semaphore = new Semaphore({ concurrency: 1 });
  const order: string[] = [];
  const release = await semaphore.acquire();
  const waiting = semaphore.run(() => order.push('waited'));
  release();
  await Promise.all([semaphore.run(() => order.push('came later')), waiting]);
  expect(order).toEqual(['waited', 'came later']);
});

test('a semaphore throws the reason of a signal that is aborted before or while a call waits', async () => {
  const { started, run, end } = build({ concurrency: 1 });
  await expect(run('never', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  const leaving = new AbortController();
  const first = run('first');
  const second = run('second', { signal: leaving.signal });
  const third = run('third');
  leaving.abort(new Error('left'));
  await expect(second).rejects.toThrow('left');
  await end('first');
  await end('third');
  await Promise.all([first, third]);
  expect(started).toEqual(['first', 'third']);
});

test('a semaphore keeps the permit of work that goes on although its signal is aborted', async () => {
  const { started, run, end } = build({ concurrency: 1 });
  const leaving = new AbortController();
  const first = run('first', { signal: leaving.signal });
  const second = run('second');
  await settled();
  leaving.abort();
  await settled();
  expect(started).toEqual(['first']);
  await end('first');
  await end('second');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
});

test('a semaphore lets urgent calls go before others, also those that became urgent while they waited', async () => {
  const { started, run, end } = build({ concurrency: 1 });
  const hurried = { urgent: false };
  const names = ['under way', 'later', 'hurried', 'urgent'];
  const all = Promise.all([
    run('under way'),
    run('later', { priority: { urgent: false } }),
    run('hurried', { priority: hurried }),
    run('urgent', { priority: { urgent: true } }),
  ]);
  hurried.urgent = true;
  await settled();
  for (const name of ['under way', 'hurried', 'urgent', 'later']) await end(name);
  expect(await all).toEqual(names);
  expect(started).toEqual(['under way', 'hurried', 'urgent', 'later']);
});

test('a semaphore is idle when no permit is held and no call waits', async () => {
  const { semaphore, run, end } = build({ concurrency: 1 });
  await semaphore.idle();
  const all = Promise.all([run('a'), run('b')]);
  let isIdle = false;
  const idle = semaphore.idle().then(() => {
    isIdle = true;
  });
  await settled();
  await end('a');
  expect(isIdle).toBe(false);
  await end('b');
  await idle;
  expect(await all).toEqual(['a', 'b']);
});

test('a semaphore throws when no permit is given back in time', async () => {
  const semaphore = new Semaphore({ concurrency: 1 });
  const release = await semaphore.acquire();
  await expect(semaphore.acquire({ timeoutMs: 5 })).rejects.toThrow('within 5 ms');
  release();
  expect(await semaphore.run(() => 'free again', { timeoutMs: 5 })).toBe('free again');
});

const limits = { concurrency: 3, perKey: { concurrency: 2, maxWaiting: 1 } };

test('a semaphore with limits for each key lets another caller pass those who hold all that they may', async () => {
  const { started, run, end } = build(limits);
  const all = Promise.all([
    run('ada 1', { key: 'ada' }),
    run('ada 2', { key: 'ada' }),
    run('ada 3', { key: 'ada' }),
    run('ben 1', { key: 'ben' }),
  ]);
  await settled();
  expect(started).toEqual(['ada 1', 'ada 2', 'ben 1']);
  await end('ben 1');
  expect(started).toHaveLength(3);
  await end('ada 1');
  expect(started).toEqual(['ada 1', 'ada 2', 'ben 1', 'ada 3']);
  await end('ada 2');
  await end('ada 3');
  expect(await all).toHaveLength(4);
});

test('a semaphore with limits for each key throws RATE_LIMITED when too many calls of one key wait, and only for that key', async () => {
  const { semaphore, run, end } = build(limits);
  const all = Promise.all(['1', '2', '3'].map((name) => run(name, { key: 'ada' })));
  expect(() => semaphore.requireRoom('ada')).toThrow('Too many of your requests are under way.');
  expect(() => semaphore.requireRoom('ben')).not.toThrow();
  for (const name of ['1', '2', '3']) {
    await settled();
    await end(name);
  }
  expect(await all).toEqual(['1', '2', '3']);
  expect(() => semaphore.requireRoom('ada')).not.toThrow();
});

test('a semaphore with limits for each key holds a call without a key back by the limit of all together alone', async () => {
  const { started, run, end } = build(limits);
  const all = Promise.all(['1', '2', '3', '4'].map((name) => run(name)));
  await settled();
  expect(started).toEqual(['1', '2', '3']);
  for (const name of ['1', '2', '3', '4']) await end(name);
  expect(await all).toHaveLength(4);
});

test('keys get permits round robin, however many calls each has and however often new ones come', async () => {
  const { started, run, end } = build({ concurrency: 1, fair: true });
  const all = [run('first'), ...['a1', 'a2', 'a3'].map((name) => run(name, { key: 'a' }))];
  all.push(run('b1', { key: 'b' }), run('c1', { key: 'c' }), run('b2', { key: 'b' }));
  await settled();
  for (const [index, name] of ['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3'].entries()) {
    await end(name);
    // A key that has just come is behind those that wait.
    if (index === 2) all.push(run('d1', { key: 'd' }));
  }
  expect(started).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3']);
  await Promise.all(all);
});

test('urgent calls of several keys get permits round robin, before all others', async () => {
  const { started, run, end } = build({ concurrency: 1, fair: true });
  const all = [run('first'), run('later', { key: 'c' })];
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2'])
    all.push(run(name, { key: name[0] ?? '', priority: { urgent: true } }));
  await settled();
  const order = ['first', 'a1', 'b1', 'a2', 'b2', 'a3', 'later'];
  for (const name of order) await end(name);
  expect(started).toEqual(order);
  await Promise.all(all);
});

test('a call of a further key is refused when so many keys wait, unless it is urgent', async () => {
  const { run, end, semaphore } = build({ concurrency: 1, fair: true, maxKeys: 2 });
  const names = ['first', 'a1', 'b1', 'a2'];
  const all = names.map((name) => run(name, { key: name[0] ?? '' }));
  await expect(run('c1', { key: 'c' })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  all.push(run('d1', { key: 'd', priority: { urgent: true } }));
  expect(semaphore.waiting).toBe(4);
  for (const name of ['first', 'd1', 'a1', 'b1', 'a2']) await end(name);
  await Promise.all(all);
});
