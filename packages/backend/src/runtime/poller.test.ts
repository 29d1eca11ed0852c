import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Poller, withLease } from './poller.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PAUSE_MS = 1_000;
const ERROR_PAUSE_MS = 5_000;

/** A poller whose polls return and throw what the test says, and last until it lets them end. */
function build() {
  const errors: unknown[] = [];
  let polls = 0;
  let next: () => number | Promise<number> = () => PAUSE_MS;
  const poller = new Poller({
    errorPauseMs: ERROR_PAUSE_MS,
    async poll() {
      polls += 1;
      return next();
    },
    onError: (error) => errors.push(error),
  });
  return {
    poller,
    errors,
    polls: () => polls,
    onPoll(act: () => number | Promise<number>) {
      next = act;
    },
  };
}

test('a poller polls when it is woken, and again after the pause that the poll asked for', async () => {
  const { poller, polls } = build();
  expect(polls()).toBe(0);
  poller.wake();
  await poller.idle();
  expect(polls()).toBe(1);
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  expect(polls()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(polls()).toBe(2);
});

test('a poller polls before its pause is over when it is woken, and begins the pause anew', async () => {
  const { poller, polls } = build();
  poller.wake();
  await vi.advanceTimersByTimeAsync(PAUSE_MS / 2);
  poller.wake();
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  expect(polls()).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(polls()).toBe(3);
});

test('a poller polls once more after a poll during which it was woken any number of times', async () => {
  const { poller, polls, onPoll } = build();
  const { promise, resolve } = Promise.withResolvers<number>();
  onPoll(() => promise);
  poller.wake();
  poller.wake();
  poller.wake();
  expect(polls()).toBe(1);
  resolve(PAUSE_MS);
  await poller.idle();
  expect(polls()).toBe(2);
});

test('a poller tells of a poll that fails, and polls again after a pause of its own', async () => {
  const { poller, polls, errors, onPoll } = build();
  onPoll(() => Promise.reject(new Error('away')));
  poller.wake();
  await poller.idle();
  expect(errors).toEqual([new Error('away')]);
  await vi.advanceTimersByTimeAsync(ERROR_PAUSE_MS - 1);
  expect(polls()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(polls()).toBe(2);
});

test('a poller begins with a pause when its first poll is scheduled', async () => {
  const { poller, polls } = build();
  poller.schedule(50);
  await vi.advanceTimersByTimeAsync(49);
  expect(polls()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(polls()).toBe(1);
});

test('a poller begins no poll after it is closed, and waits for the one under way', async () => {
  const { poller, polls, onPoll } = build();
  const { promise, resolve } = Promise.withResolvers<number>();
  onPoll(() => promise);
  poller.wake();
  const closing = poller.close();
  poller.wake();
  expect([poller.isClosed, poller.isPolling]).toEqual([true, true]);
  resolve(0);
  await closing;
  await vi.advanceTimersByTimeAsync(10 * PAUSE_MS);
  expect([polls(), poller.isPolling]).toEqual([1, false]);
});

test('withLease renews a lease until its work ends, although a renewal fails', async () => {
  const renewals: number[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const renew = async () => {
    renewals.push(Date.now());
    throw new Error('away');
  };
  const started = Date.now();
  const work = withLease({ leaseMs: 300, renew }, () => promise);
  await vi.advanceTimersByTimeAsync(250);
  resolve('done');
  expect(await work).toBe('done');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(renewals.map((at) => at - started)).toEqual([100, 200]);
});
