import type { ByteRange } from '@trellis/sdk/server';

/** What a `Range` header requests: a part of the file, the whole, or an unsatisfiable range. */
export type AskedPart =
  | { readonly kind: 'part'; readonly part: ByteRange }
  | { readonly kind: 'whole' }
  | { readonly kind: 'none' };

/**
 * Parses `bytes=start-end` of RFC 9110, section 14. Several ranges and invalid ones get the whole file, as the RFC allows.
 *
 * @param size bytes of the file
 */
export function askedPart(header: string | undefined, size: number): AskedPart {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return { kind: 'whole' };
  // Without a start, the last bytes are requested.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return { kind: 'whole' };
  return start > end ? { kind: 'none' } : { kind: 'part', part: { start, end } };
}
