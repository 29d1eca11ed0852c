import { describe, expect, it } from 'vitest';
import { createRateLimits, ipKey, type RateLimit } from './rate-limit.ts';

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
    await limits.reset(twice, 'a');
    await limits.consume(twice, 'a');
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
});

describe('the key of an IP address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['1', '1'],
    ['in-process', 'in-process'],
  ])('calls from %s are counted under %s', (ipAddress, key) => {
    expect(ipKey(ipAddress)).toBe(key);
  });
});
