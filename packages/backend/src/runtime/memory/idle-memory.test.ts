import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleMemory } from './idle-memory.ts';

const MEGABYTE = 1024 * 1024;

let usage = { processorMs: 0, residentBytes: 0 };
let released: number[] = [];
/** Milliseconds that returning free blocks takes, and how often that was done. */
let returnMs = 5;
let returns = 0;
let failures: unknown[] = [];
let failure: Error | undefined;
let memory: IdleMemory;

beforeEach(() => {
  vi.useFakeTimers();
  usage = { processorMs: 1_000, residentBytes: 150 * MEGABYTE };
  released = [];
  returnMs = 5;
  returns = 0;
  failures = [];
  failure = undefined;
  memory = new IdleMemory({
    onRelease: () => undefined,
    onFailure: (error) => failures.push(error),
    usage: () => ({ ...usage }),
    release() {
      if (failure) throw failure;
      released.push(usage.residentBytes / MEGABYTE);
      usage.residentBytes -= 20 * MEGABYTE;
      usage.processorMs += 300;
    },
    returnBlocks() {
      if (failure) throw failure;
      returns += 1;
      vi.advanceTimersByTime(returnMs);
    },
  });
  memory.start();
});
afterEach(() => {
  memory.close();
  vi.useRealTimers();
});

function rest(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1_000);
}

/** Works for so many seconds, in which the process grows to so many megabytes. */
function work(seconds: number, megabytes: number): void {
  const from = usage.residentBytes;
  for (let second = 1; second <= seconds; second += 1) {
    usage.processorMs += 900;
    usage.residentBytes = from + ((megabytes * MEGABYTE - from) * second) / seconds;
    vi.advanceTimersByTime(1_000);
  }
}

test('memory is given back seconds after a process came to rest, once more after half a minute, and then no more', () => {
  rest(6);
  expect(released).toEqual([150]);
  rest(600);
  expect(released).toEqual([150, 130]);
});

test('memory is not given back while a process works', () => {
  work(60, 500);
  expect(released).toEqual([]);
  rest(6);
  expect(released).toEqual([500]);
});

test('free blocks are returned every two seconds while a process works and grows, and not while it rests', () => {
  work(60, 500);
  expect(returns).toBe(30);
  rest(60);
  expect(returns).toBe(30);
});

test('no blocks are returned while a process works without having grown by 8 MB since the last time', () => {
  rest(6);
  work(60, 137);
  expect(returns).toBe(0);
  work(2, 139);
  expect(returns).toBe(1);
  work(60, 146);
  expect(returns).toBe(1);
});

test('blocks that take long to be returned are returned less often, so that this takes half a percent of the time', () => {
  returnMs = 50;
  work(60, 500);
  expect(returns).toBe(5);
});

test('memory is given back after each work that took more of it, and not after any other', () => {
  rest(60);
  work(10, 116);
  rest(60);
  expect(released).toEqual([150, 130]);
  work(10, 300);
  rest(60);
  expect(released).toEqual([150, 130, 300, 280]);
});

test('a failure to give memory back ends nothing but this, and is told once', () => {
  failure = new Error('Out of memory.');
  rest(6);
  expect(failures).toEqual([failure]);
  failure = undefined;
  work(10, 500);
  rest(600);
  expect({ failures: failures.length, released }).toEqual({ failures: 1, released: [] });
});

test('nothing is given back after the end', () => {
  memory.close();
  rest(60);
  expect(released).toEqual([]);
});
