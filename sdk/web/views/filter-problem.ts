import {
  readTextList,
  type CellValue,
  type ColumnEntity,
  type FilterOperator,
  type Refusal,
} from '../../shared/index.ts';
import { columnContext } from '../columns.ts';
import type { WebColumnType, WebFilterOperator } from '../extensions/index.ts';

/** Why the column cannot hold the value of a condition, as after a change of its type. */
export function problemOfValue(
  column: ColumnEntity,
  type: WebColumnType,
  operator: WebFilterOperator,
  value: CellValue,
): Refusal | undefined {
  if (operator.arity === 'none' || operator.ValueInput !== undefined) return undefined;
  const text = textOf(value);
  const ends = operator.arity === 'two' ? text.split(',') : [text];
  return ends
    .map((text) => problemOfText(column, type, operator, { text }))
    .find((found) => found !== undefined);
}

/** The same for a text. By default the type parses it like stored values. */
export function problemOfText(
  column: ColumnEntity,
  type: WebColumnType,
  operator: FilterOperator,
  { text, read = type.parse }: { readonly text: string; readonly read?: WebColumnType['parse'] | undefined },
): Refusal | undefined {
  if (text === '' || operator.takes === 'words') return undefined;
  const parts = operator.arity === 'list' ? readTextList(text) : [text];
  for (const part of parts) {
    const found = read(part, columnContext(asOptional(column), type));
    if (!found.ok) return found;
  }
  return undefined;
}

/** The text of a filter's value. */
export function textOf(value: CellValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const optional = new WeakMap<ColumnEntity, ColumnEntity>();

/** A filter may look for nothing in a column that requires a value. */
export function asOptional(column: ColumnEntity): ColumnEntity {
  const known = optional.get(column) ?? { ...column, rqd: false };
  optional.set(column, known);
  return known;
}
