import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ipKey, networksOf, wideIpKey } from './networks.ts';
import { OpenByNetwork } from './open-by-network.ts';

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
  ])('the key of %s is %s', (ipAddress, key) => {
    expect(ipKey(ipAddress)).toBe(key);
  });

  it('an IPv6 address is counted in three networks, an IPv4 address in one', () => {
    expect(networksOf('2001:db8:1:abcd::9')).toEqual([
      { key: '2001:db8:1:abcd::/64', share: 1 },
      { key: '2001:db8:1:ab00::/56', share: 1.25 },
      { key: '2001:db8:1::/48', share: 1.5 },
    ]);
    expect(networksOf('::ffff:192.0.2.7')).toEqual([{ key: '192.0.2.7', share: 1 }]);
    expect([wideIpKey('2001:db8:1:abcd::9'), wideIpKey('192.0.2.7')]).toEqual([
      '2001:db8:1::/48',
      '192.0.2.0/24',
    ]);
  });
});

it('an IPv6 address opens no more from all of its /48 than the widest of its networks may have', () => {
  const open = new OpenByNetwork(10);
  const openAll = (ipOf: (n: number) => string) => {
    let opened = 0;
    for (let n = 0; n < 100; n += 1) {
      if (open.isFull(ipOf(n))) continue;
      open.count(ipOf(n), 1);
      opened += 1;
    }
    return opened;
  };
  expect(openAll(() => '192.0.2.7')).toBe(10);
  expect(openAll((n) => `2001:db8:1:${n}00::1`)).toBe(15);
  open.count('2001:db8:1:0::1', -1);
  expect(open.isFull('2001:db8:1:ffff::1')).toBe(false);
});

it('the narrowest network alone is a key of records and of no limit', () => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const sources = globSync('{packages/backend,apps/journal}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/build/**', '**/*.test.ts'],
  });
  const using = sources.filter((path) => readFileSync(`${root}/${path}`, 'utf8').match(/\bipKey\(/));
  const auth = 'packages/backend/src/services/auth';
  expect(using.toSorted()).toEqual([
    'packages/backend/src/http/networks.ts',
    `${auth}/audit.ts`,
    `${auth}/owner-notices/new-device.ts`,
  ]);
});
