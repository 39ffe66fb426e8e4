import type { ByteRange } from '@trellis/sdk/server';

/** What a `Range` header asks of a file: a part of it, the whole, or what it does not have. */
export type AskedPart =
  | { readonly kind: 'part'; readonly part: ByteRange }
  | { readonly kind: 'whole' }
  | { readonly kind: 'none' };

/**
 * Reads `bytes=start-end` of RFC 9110, section 14. More than one range, and what is no range at all, is answered by the whole file, as
 * the RFC allows.
 *
 * @param size bytes of the file
 */
export function askedPart(header: string | undefined, size: number): AskedPart {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return { kind: 'whole' };
  // Without a start it is the last bytes that are asked for.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return { kind: 'whole' };
  return start > end ? { kind: 'none' } : { kind: 'part', part: { start, end } };
}
