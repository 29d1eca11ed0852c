import { createClient, type FabricaError } from '@fabrica/client';
import { TestClock } from '@fabrica/client/testing/test-clock.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** The code of the socket, which is loaded when it is wanted, and which the network may not bring. */
const CODE = './start-realtime.ts';

let isAway = true;
const subscribed = vi.fn(() => () => {});

beforeEach(() => {
  isAway = true;
  subscribed.mockClear();
  vi.doMock(CODE, () => {
    if (isAway) throw new TypeError('Failed to fetch dynamically imported module');
    return { startRealtime: () => ({ subscribe: subscribed, close() {} }) };
  });
});
afterEach(() => vi.doUnmock(CODE));

/** Somebody who listens, and was told that the code is not to be had. */
async function listenInVain() {
  const clock = new TestClock();
  const client = createClient({
    projectId: 'journal',
    origin: 'http://journal.example',
    realtime: { clock, random: () => 0.5 },
  });
  const errors: FabricaError[] = [];
  const end = client.realtime.subscribe('public:a', { error: (error) => errors.push(error) });
  await expect.poll(() => clock.asked).toEqual([1_500]);
  expect(errors).toMatchObject([{ name: 'NetworkError', status: null }]);
  return { clock, client, errors, end };
}

describe('the code of the socket, when it cannot be loaded', () => {
  it('is asked for again, ever more seldom, until it is there; that is told once', async () => {
    const { clock, errors } = await listenInVain();
    clock.advance(1_500);
    await expect.poll(() => clock.asked).toEqual([1_500, 2_500]);
    isAway = false;
    clock.advance(2_500);
    await expect.poll(() => subscribed.mock.calls).toHaveLength(1);
    expect([errors.length, clock.pending]).toEqual([1, 0]);
  });

  it.each(['end', 'realtime.close', 'auth.destroy'])('is not asked for any more after %s', async (way) => {
    const { clock, client, end } = await listenInVain();
    if (way === 'end') end();
    else if (way === 'realtime.close') client.realtime.close();
    else client.auth.destroy();
    expect(clock.pending).toBe(0);
  });
});
