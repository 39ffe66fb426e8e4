import type { Principal } from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';
import { me, nobody } from '../shared/index.ts';

/** The addresses of a filter, with the reader's own in place of `@me`. */
export function meAsReader(value: CellValue, { email }: Pick<Principal, 'email'>): CellValue {
  const own = (text: CellValue): CellValue =>
    typeof text === 'string' && text.trim() === me ? email || nobody : text;
  if (Array.isArray(value)) return value.map(own);
  return typeof value === 'string' && value.includes(me) ? value.split(',').map(own) : value;
}
