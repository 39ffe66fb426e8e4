import type { Principal } from '@trellis/sdk/server';
import type { CellValue, FilterOperator } from '@trellis/sdk/shared';
import { me, nobody } from '../shared/index.ts';

/** The value of a filter with `@me` replaced by the reader's own address in each part of a list; search texts stay unchanged. */
export function meAsReader(
  value: CellValue,
  { email }: Pick<Principal, 'email'>,
  { arity }: Pick<FilterOperator, 'arity'>,
): CellValue {
  if (arity !== 'list') return value;
  const parts: readonly CellValue[] | undefined =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : undefined;
  const isMe = (part: CellValue): boolean => typeof part === 'string' && part.trim() === me;
  return parts?.some(isMe) === true ? parts.map((part) => (isMe(part) ? email || nobody : part)) : value;
}
