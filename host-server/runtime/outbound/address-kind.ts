import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * The kind of network that an address leads to. `private`: this machine or its networks. `forbidden`: addresses that are not used
 * in the internet either, or cloud services that trust every caller. Ranges: IANA special-purpose address registries.
 */
export type AddressKind = 'public' | 'private' | 'forbidden';

const PRIVATE = subnets([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
]);

const FORBIDDEN = subnets([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Cloud services for their own machines, outside of the link-local range.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  // Teredo, documentation and 6to4 ranges contain an IPv4 address or lead nowhere.
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** The only part of IPv6 that is assigned to the internet. */
const GLOBAL = subnets([['2000::', 3]]);

/** @param address as a DNS look-up returns it: dotted IPv4 or IPv6 in any spelling */
export function addressKind(address: string): AddressKind {
  if (isIPv4(address)) return kindIn(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return 'forbidden';
  const inner = embeddedIpv4(address);
  if (inner !== undefined) return addressKind(inner);
  const kind = kindIn(address, 'ipv6');
  return kind === 'public' && !GLOBAL.check(address, 'ipv6') ? 'forbidden' : kind;
}

/** Whether an address, or the IPv4 address inside it, is in one of the ranges. */
export function isInRanges(ranges: BlockList, address: string): boolean {
  if (isIPv4(address)) return ranges.check(address, 'ipv4');
  const inner = embeddedIpv4(address);
  return ranges.check(address, 'ipv6') || (inner !== undefined && ranges.check(inner, 'ipv4'));
}

/** @param ranges addresses or ranges such as `10.0.0.0/8`, checked before */
export function toRanges(ranges: readonly string[]): BlockList {
  return subnets(
    ranges.map((range) => {
      const [address = '', bits] = range.split('/');
      return [address, bits === undefined ? (isIPv4(address) ? 32 : 128) : Number(bits)];
    }),
  );
}

function kindIn(address: string, family: 'ipv4' | 'ipv6'): AddressKind {
  if (FORBIDDEN.check(address, family)) return 'forbidden';
  return PRIVATE.check(address, family) ? 'private' : 'public';
}

/** The IPv4 address within an IPv4-mapped (`::ffff:a.b.c.d`) or NAT64 (`64:ff9b::a.b.c.d`) address. */
function embeddedIpv4(address: string): string | undefined {
  // URL normalizes an IPv6 address, with the last 32 bits in hexadecimal.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const inner = /^(?:::ffff|64:ff9b:):(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(canonical);
  if (inner === null) return undefined;
  const [high, low] = [inner[1], inner[2]].map((group) => Number.parseInt(group ?? '0', 16)) as [
    number,
    number,
  ];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function subnets(ranges: readonly (readonly [address: string, bits: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, isIPv4(address) ? 'ipv4' : 'ipv6');
  return list;
}
