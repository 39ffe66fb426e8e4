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

/** A value that a column takes, where only a run knows which one: of its options the first, else of the examples of its type. Null where none is sure. */
export function sampleOf(column: ColumnSchema, types: Types): CellValue {
  const type = types.get(column.type);
  // What is admitted, such as people of the project, is known to its type alone.
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

/** What a new row holds beside what is written into it: keys, numbers, stamps and default values, as samples. */
export function filledCells({ table, scope }: TableHandle, types: Types): Row {
  const filled = table.columns.filter((column) => {
    const type = types.get(column.type);
    const isSet = column.autoIncrement || column.defaultValue !== undefined;
    return mayRead(scope, column) && (isSet || (type !== undefined && isFilled(type)));
  });
  return Object.fromEntries(filled.map((column) => [column.title, sampleOf(column, types)]));
}

/** A made-up row, for a table that has none yet: of each column that may be read a sample. */
export function sampleRow({ table, scope }: TableHandle, types: Types): Row {
  const shown = table.columns.filter(
    (column) => mayRead(scope, column) && (!column.system || column.primaryKey),
  );
  return Object.fromEntries(shown.map((column) => [column.title, sampleOf(column, types)]));
}
