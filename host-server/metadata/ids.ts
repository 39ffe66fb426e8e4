import { randomInt } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
const length = 14;

/** Prefixes of ids on the wire, as clients of the v1 API know them, and of those that only we know. */
const prefixes = {
  account: 'us_',
  audit: 'adt_',
  base: 'ds_',
  change: 'ch_',
  column: 'cl_',
  filter: 'fi_',
  link: 'ln_',
  operation: 'op_',
  outbox: 'ob_',
  project: 'p_',
  row: 'rc_',
  sort: 'so_',
  table: 'md_',
  task: 'tk_',
  view: 'vw_',
  viewColumn: 'nc_',
} as const;

export type IdKind = keyof typeof prefixes;

/** A new id: the kind's prefix and 14 characters of `0-9a-z`, from the system's random source. */
export function newId(kind: IdKind): string {
  return prefixes[kind] + randomText(length);
}

/** Random characters of `0-9a-z`. */
export function randomText(characters: number): string {
  let text = '';
  for (let index = 0; index < characters; index += 1) text += alphabet[randomInt(alphabet.length)] ?? '';
  return text;
}
