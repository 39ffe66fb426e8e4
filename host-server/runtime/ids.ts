import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
const length = 14;

/** Prefixes of ids on the wire: those that clients of the v1 API know, and those of this product only. */
const prefixes = {
  account: 'us_',
  base: 'ds_',
  column: 'cl_',
  filter: 'fi_',
  link: 'ln_',
  operation: 'op_',
  project: 'p_',
  row: 'rc_',
  sort: 'so_',
  table: 'md_',
  task: 'tk_',
  view: 'vw_',
  viewGroup: 'vg_',
  viewColumn: 'nc_',
} as const;

export type IdKind = keyof typeof prefixes;

/** A new id: the kind's prefix and 14 characters of `0-9a-z`, from the system's random source. */
export function newId(kind: IdKind): string {
  return prefixes[kind] + randomText(length);
}

/** Random bytes of the system, drawn in bulk: a call for each character would take several times as long as the rest of an id. */
const pool = Buffer.alloc(4096);
let taken = pool.length;

function randomByte(): number {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  const byte = pool[taken] ?? 0;
  // Bytes that were used are erased.
  pool[taken] = 0;
  taken += 1;
  return byte;
}

/** Only bytes below this are used, so that each character is equally likely. */
const evenBytes = 256 - (256 % alphabet.length);

/** Random characters of `0-9a-z`. */
export function randomText(characters: number): string {
  let text = '';
  while (text.length < characters) {
    const byte = randomByte();
    if (byte < evenBytes) text += alphabet[byte % alphabet.length] ?? '';
  }
  return text;
}
