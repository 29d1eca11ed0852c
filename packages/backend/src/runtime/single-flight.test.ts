import { afterEach, expect, test, vi } from 'vitest';
import type { Priority } from './semaphore.ts';
import { SingleFlight } from './single-flight.ts';

afterEach(() => void vi.useRealTimers());

test('callers of a single flight that ask for the same at the same time share one result', async () => {
  const flights = new SingleFlight({ failureMs: 1_000 });
  let runs = 0;
  const work = async () => {
    runs += 1;
    return runs;
  };
  const together = [
    flights.run('a', false, work),
    flights.run('a', false, work),
    flights.run('b', false, work),
  ];
  expect(await Promise.all(together)).toEqual([1, 1, 2]);
  expect(await flights.run('a', false, work)).toBe(3);
});

test('a single flight becomes urgent when one of its callers is', async () => {
  const flights = new SingleFlight({ failureMs: 1_000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  let priority: Priority | undefined;
  const work = (given: Priority) => {
    priority = given;
    return promise;
  };
  const first = flights.run('a', false, work);
  expect(priority).toEqual({ urgent: false });
  const others = [flights.run('a', true, work), flights.run('a', false, work)];
  expect(priority).toEqual({ urgent: true });
  resolve();
  expect(await Promise.all([first, ...others])).toEqual([undefined, undefined, undefined]);
});

test('a failure of a single flight is thrown again for a while, and then the work is tried again', async () => {
  vi.useFakeTimers();
  const flights = new SingleFlight({ failureMs: 1_000 });
  let runs = 0;
  const run = () =>
    flights.run('a', true, async () => {
      runs += 1;
      if (runs === 1) throw new Error('broken');
      return 'done';
    });
  await expect(run()).rejects.toThrow('broken');
  await vi.advanceTimersByTimeAsync(900);
  await expect(run()).rejects.toThrow('broken');
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await run()).toBe('done');
});

test('settled waits for all flights, also for those that fail', async () => {
  const flights = new SingleFlight({ failureMs: 1_000 });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const slow = Promise.withResolvers<string>();
  const failing = flights.run('a', false, () => promise);
  const succeeding = flights.run('b', false, () => slow.promise);
  let isSettled = false;
  const settled = flights.settled().then(() => {
    isSettled = true;
  });
  reject(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect(isSettled).toBe(false);
  slow.resolve('done');
  await settled;
  expect(await succeeding).toBe('done');
  resolve('too late');
});
