import { createHash } from 'node:crypto';
import type { RowKey } from '@trellis/sdk/shared';

/** Characters of `row_key`, which is indexed; databases bound what an index takes. */
const longest = 255;

/** Whether a key is too long for the index, and is stored in `long_row_key`. */
function isLongRowKey(key: RowKey | undefined): boolean {
  return key !== undefined && key.length > longest;
}

/** What `row_key` holds: the key itself, or the name of a long one. Cut off, a long key could be that of another row. */
export function storedRowKey(key: RowKey): string {
  return isLongRowKey(key) ? `sha256:${createHash('sha256').update(key).digest('hex')}` : key;
}
