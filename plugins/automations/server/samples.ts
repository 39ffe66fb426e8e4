import { mayRead, type ColumnSchema, type ServerColumnType, type TableHandle } from '@trellis/sdk/server';
import {
  failedValidator,
  isFilled,
  type CellValue,
  type ColumnContext,
  type RegistryView,
  type Row,
} from '@trellis/sdk/shared';

type Types = Pick<RegistryView<ServerColumnType>, 'get'>;

/**
 * A sample value that a column accepts, for values known only in a run: the first option, or an example of its type. Null if none
 * is certain.
 */
export function sampleOf(column: ColumnSchema, types: Types): CellValue {
  const type = types.get(column.type);
  // Only the type knows which values it admits, such as members of the project.
  if (type === undefined || type.server?.admit !== undefined) return null;
  const context: ColumnContext = {
    id: column.id,
    title: column.title,
    required: column.required,
    storage: column.storage,
    options: { ...type.options?.defaults, ...column.meta },
  };
  const [first] = type.valuesInOrder?.(context.options) ?? [];
  for (const input of [first, ...type.examples.map((example) => example.input)]) {
    const read = type.parse(input ?? null, context);
    if (!read.ok || read.value === null || read.value === '') continue;
    const isTaken =
      failedValidator(type, read.value, context) === undefined &&
      type.validate?.(read.value, context) === undefined;
    if (isTaken) return read.value;
  }
  return null;
}

/** Samples of the cells that a new row gets automatically: keys, numbers, stamps and default values. */
export function filledCells({ table, scope }: TableHandle, types: Types): Row {
  const filled = table.columns.filter((column) => {
    const type = types.get(column.type);
    const isSet = column.autoIncrement || column.defaultValue !== undefined;
    return mayRead(scope, column) && (isSet || (type !== undefined && isFilled(type)));
  });
  return Object.fromEntries(filled.map((column) => [column.title, sampleOf(column, types)]));
}

/** A sample row for an empty table, with a sample for each readable column. */
export function sampleRow({ table, scope }: TableHandle, types: Types): Row {
  const shown = table.columns.filter(
    (column) => mayRead(scope, column) && (!column.system || column.primaryKey),
  );
  return Object.fromEntries(shown.map((column) => [column.title, sampleOf(column, types)]));
}
