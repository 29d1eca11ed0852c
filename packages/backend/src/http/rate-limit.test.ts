import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRateLimits, type GrowingDelay, type RateLimit, type RateLimits } from './rate-limit.ts';

const twice: RateLimit = { name: 'twice', points: 2, duration: 60 };

describe('rate limits', () => {
  it('count each key and each limit apart', async () => {
    const limits = createRateLimits({ enabled: true });
    await limits.consume(twice, 'a');
    await limits.consume(twice, 'a');
    await limits.consume(twice, 'b');
    await limits.consume({ ...twice, name: 'other' }, 'a');
    await expect(limits.consume(twice, 'a')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfter: expect.closeTo(60, 0),
    });
  });

  it('say what the limit wants said', async () => {
    const limits = createRateLimits({ enabled: true });
    const quota: RateLimit = { ...twice, points: 0, code: 'AI_QUOTA_EXCEEDED', message: 'No more today.' };
    await expect(limits.consume(quota, 'a')).rejects.toMatchObject({
      code: 'AI_QUOTA_EXCEEDED',
      message: 'No more today.',
    });
  });

  it('turn nobody away when they are off', async () => {
    const limits = createRateLimits({ enabled: false });
    for (let call = 0; call < 5; call += 1) {
      await expect(limits.consume(twice, 'a')).resolves.toBeUndefined();
    }
  });

  it.each([
    ['/64', 2, (n: number) => `2001:db8:1:1::${n}`],
    ['/56', 3, (n: number) => `2001:db8:1:10${n}::1`],
    ['/48', 3, (n: number) => `2001:db8:1:${n}00::1`],
    ['different /48', 9, (n: number) => `2001:db8:${n}::1`],
  ])('a limit of two calls lets all addresses of one %s make %i', async (_, allowed, ipOf) => {
    const limits = createRateLimits({ enabled: true });
    let made = 0;
    for (let n = 1; n <= 9; n += 1) {
      made += await limits.consumeByIp(twice, ipOf(n)).then(
        () => 1,
        () => 0,
      );
    }
    expect(made).toBe(allowed);
  });
});

it('generated addresses of one /48 make no more calls than one network and a half, and of one /64 no more than one', async () => {
  const within = (groups: number) =>
    fc.array(fc.nat(0xffff), { minLength: 8 - groups, maxLength: 8 - groups }).map((rest) =>
      ['2001', 'db8', '1', '2']
        .slice(0, groups)
        .concat(rest.map((one) => one.toString(16)))
        .join(':'),
    );
  for (const [groups, share] of [
    [3, 1.5],
    [4, 1],
  ] as const) {
    await fc.assert(
      fc.asyncProperty(
        fc.array(within(groups), { minLength: 60, maxLength: 120 }),
        fc.integer({ min: 1, max: 30 }),
        async (addresses, points) => {
          const limits = createRateLimits({ enabled: true });
          const made = await Promise.allSettled(
            addresses.map((ip) => limits.consumeByIp({ ...twice, points }, ip)),
          );
          const allowed = made.filter(({ status }) => status === 'fulfilled').length;
          expect(allowed).toBeLessThanOrEqual(Math.ceil(points * share));
          expect(allowed).toBeGreaterThanOrEqual(points);
        },
      ),
      { numRuns: 50, seed: 20_261 },
    );
  }
});

describe('a limit that strangers share', () => {
  const shared: RateLimit = { name: 'shared', points: 60, duration: 60 };
  const countFrom = async (limits: RateLimits, ipOf: (n: number) => string) => {
    let made = 0;
    const calls = Array.from({ length: 100 }, (_, n) =>
      limits.consumeShare(shared, ipOf(n), 'post').then(
        () => {
          made += 1;
        },
        (error) => expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) }),
      ),
    );
    await Promise.all(calls);
    return made;
  };

  it('a network uses a sixth of what the others leave, also by calls at once, and later ones find room', async () => {
    const limits = createRateLimits({ enabled: true });
    const made = [];
    for (let network = 1; network <= 10; network += 1)
      made.push(await countFrom(limits, () => `198.18.0.${network}`));
    expect(made).toEqual([10, 9, 7, 6, 5, 4, 4, 3, 2, 2]);
    await expect(limits.consumeShare(shared, '198.18.0.1', 'other post')).resolves.toBeUndefined();
  });

  it('whatever nine networks send in whichever order, a tenth is not refused, and no network has more than its part', async () => {
    const network = fc.tuple(fc.constantFrom('4', '6'), fc.nat(8));
    const address = fc.tuple(network, fc.nat(0xffff)).map(([[kind, number], host]) => {
      const [high, low] = [host >> 8, host & 255];
      return kind === '4'
        ? `198.18.${number}.1`
        : `2001:db8:${number}:${high.toString(16)}::${low.toString(16)}`;
    });
    const burst = fc.record({ ip: address, calls: fc.integer({ min: 1, max: 30 }) });
    const keyOf = (ip: string) => ip.split(':').slice(0, 3).join(':');
    await fc.assert(
      fc.asyncProperty(
        fc.array(burst, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 30, max: 400 }),
        async (bursts, points) => {
          const limits = createRateLimits({ enabled: true });
          const limit = { ...shared, points };
          const made = new Map<string, number>();
          for (const { ip, calls } of bursts) {
            const key = keyOf(ip);
            // There are nine at most.
            if (!made.has(key) && made.size === 9) continue;
            const all = Array.from({ length: calls }, () => limits.consumeShare(limit, ip));
            const allowed = (await Promise.allSettled(all)).filter(
              ({ status }) => status === 'fulfilled',
            ).length;
            made.set(key, (made.get(key) ?? 0) + allowed);
          }
          for (const count of made.values()) expect(count).toBeLessThanOrEqual(Math.ceil((points * 1.5) / 6));
          expect([...made.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(points);
          await expect(limits.consumeShare(limit, '203.0.113.9')).resolves.toBeUndefined();
        },
      ),
      { numRuns: 80, seed: 20_261 },
    );
  });

  it('all addresses of a /48 use a quarter of it', async () => {
    const limits = createRateLimits({ enabled: true });
    expect(await countFrom(limits, (n) => `2001:db8:1:${n}00::1`)).toBe(15);
  });

  it('refused calls use nothing up', async () => {
    const limits = createRateLimits({ enabled: true });
    for (let turn = 0; turn < 3; turn += 1) await countFrom(limits, () => '198.18.0.1');
    expect(await limits.counted(shared, 'post')).toBe(10);
  });
});

describe('growing delays', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
  const delay: GrowingDelay = { name: 'guess', free: 2, firstSeconds: 30, longestSeconds: 100 };
  const retryAfter = (act: () => void): number => {
    try {
      act();
      return 0;
    } catch (error) {
      return (error as { retryAfter: number }).retryAfter;
    }
  };

  it('after the free attempts each pause is twice as long as the one before, up to the longest', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const limits = createRateLimits({ enabled: true });
    const attempt = () => retryAfter(() => limits.delay(delay, 'a'));
    expect([attempt(), attempt(), attempt()]).toEqual([0, 0, 30]);
    for (const pause of [30, 60, 100, 100]) {
      expect(attempt()).toBe(pause);
      wait(pause);
      expect(attempt()).toBe(0);
    }
    expect(retryAfter(() => limits.delay(delay, 'b'))).toBe(0);
    limits.forgive(delay, 'a');
    expect(attempt()).toBe(0);
  });

  it('attempts from a /48 share their pauses, and an attempt in a pause counts nowhere', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const limits = createRateLimits({ enabled: true });
    const attempt = (ip: string) => retryAfter(() => limits.delayByIp(delay, ip, 'ada'));
    expect([1, 2, 3].map((n) => attempt(`2001:db8:1:${n}00::1`))).toEqual([0, 0, 0]);
    for (const n of [4, 5, 6]) expect(attempt(`2001:db8:1:${n}00::1`)).toBe(30);
    expect(attempt('2001:db8:2::1')).toBe(0);
    wait(30);
    expect(attempt('2001:db8:1:400::1')).toBe(0);
  });

  it('attempts are forgotten after an hour without one', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const limits = createRateLimits({ enabled: true });
    for (const _ of [1, 2]) limits.delay(delay, 'a');
    wait(3_601);
    for (const _ of [1, 2]) limits.delay(delay, 'a');
    expect(retryAfter(() => limits.delay(delay, 'a'))).toBe(30);
  });
});
