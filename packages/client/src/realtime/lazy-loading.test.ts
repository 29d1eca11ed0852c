import { TestClock } from '@fabrica/client/testing/test-clock.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, type FabricaError } from '../index.ts';

/** The module of the socket, which is loaded on demand. */
const CODE = './start-realtime.ts';

let isUnavailable = true;
const subscribed = vi.fn(() => () => {});

beforeEach(() => {
  isUnavailable = true;
  subscribed.mockClear();
  vi.doMock(CODE, () => {
    if (isUnavailable) throw new TypeError('Failed to fetch dynamically imported module');
    return { startRealtime: () => ({ subscribe: subscribed, close() {} }) };
  });
});
afterEach(() => vi.doUnmock(CODE));

/** Subscribes while the code cannot be loaded, and waits for the error. */
async function subscribeInVain() {
  const clock = new TestClock();
  const client = createClient({
    projectId: 'journal',
    origin: 'http://journal.example',
    realtime: { clock, random: () => 0.5 },
  });
  const errors: FabricaError[] = [];
  const end = client.realtime.subscribe('public:a', { error: (error) => errors.push(error) });
  await expect.poll(() => clock.delays).toEqual([1_500]);
  expect(errors).toMatchObject([{ name: 'NetworkError', status: null }]);
  return { clock, client, errors, end };
}

describe('code that cannot be loaded', () => {
  it('code that cannot be loaded is requested after growing delays, and the error is reported once', async () => {
    const { clock, errors } = await subscribeInVain();
    clock.advance(1_500);
    await expect.poll(() => clock.delays).toEqual([1_500, 2_500]);
    isUnavailable = false;
    clock.advance(2_500);
    await expect.poll(() => subscribed.mock.calls).toHaveLength(1);
    expect([errors.length, clock.pending]).toEqual([1, 0]);
  });

  it.each(['end', 'realtime.close', 'auth.destroy'])(
    'code that could not be loaded is not requested again after %s',
    async (way) => {
      const { clock, client, end } = await subscribeInVain();
      if (way === 'end') end();
      else if (way === 'realtime.close') client.realtime.close();
      else client.auth.destroy();
      expect(clock.pending).toBe(0);
    },
  );
});
