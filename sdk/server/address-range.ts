import { isIPv6 } from 'node:net';

/**
 * The part of a client's address that belongs to one household or machine: a whole IPv4 address, or the /64 of an IPv6 address.
 *
 * All spellings of an address give the same text: compressed groups, leading zeros, upper case, a zone, IPv4 inside IPv6. A text
 * that is no address is returned unchanged.
 *
 * @public
 */
export function addressRange(ip: string): string {
  const [bare = ''] = ip.split('%');
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(ip: string): readonly number[] {
  const [head = '', tail] = withoutDots(ip).split('::');
  const left = numbersOf(head);
  if (tail === undefined) return left;
  const right = numbersOf(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** `::ffff:1.2.3.4` as `::ffff:102:304`. */
function withoutDots(ip: string): string {
  return ip.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: readonly string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
}

function numbersOf(groups: string): readonly number[] {
  return groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16));
}
