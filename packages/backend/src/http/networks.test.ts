import { describe, expect, it } from 'vitest';
import { ipKey, networksOf, wideIpKey } from './networks.ts';

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
