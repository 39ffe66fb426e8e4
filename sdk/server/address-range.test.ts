import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressRange } from './address-range.ts';

const group = fc.integer({ min: 0, max: 0xffff });

describe('the range of an address', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1:1:1:1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:0001:0001:0001:0001', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
    ['not an address', 'not an address'],
  ])('of %s is %s', (ip, range) => {
    expect(addressRange(ip)).toBe(range);
  });

  test('is one for all addresses and spellings of a /64, and another one for the next /64', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.integer({ min: 1, max: 0xfffe }), group, group, group),
        fc.tuple(group, group, group, group),
        (network, host) => {
          const hex = [...network, ...host].map((part) => part.toString(16));
          const plain = hex.join(':');
          const padded = hex.map((part) => part.padStart(4, '0').toUpperCase()).join(':');
          const compressed = new URL(`http://[${plain}]`).hostname.slice(1, -1);
          expect(addressRange(padded)).toBe(addressRange(plain));
          expect(addressRange(compressed)).toBe(addressRange(plain));
          expect(addressRange([...hex.slice(0, 4), '0', '0', '0', '1'].join(':'))).toBe(addressRange(plain));
          const next = [(network[0] ^ 1).toString(16), ...hex.slice(1)].join(':');
          expect(addressRange(next)).not.toBe(addressRange(plain));
        },
      ),
    );
  });
});
