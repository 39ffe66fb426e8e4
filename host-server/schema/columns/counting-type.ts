import type { ColumnInput, ColumnSchema, ServerColumnType } from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/core';
import { schemaErrors } from '../schema-errors.ts';

type ColumnTypes = RegistryView<ServerColumnType>;

/**
 * A new column for which a client asks `auto increment`. Keys count in the database; any other column gets the type that numbers
 * rows.
 *
 * @throws TrellisError 400 when the column holds no whole numbers.
 */
export function countingColumn(input: ColumnInput, columnTypes: ColumnTypes): ColumnInput {
  const isKey = input.primaryKey ?? input.type === 'ID';
  if (input.autoIncrement !== true || isKey) return input;
  return { ...input, type: countingType(input.type, columnTypes), autoIncrement: undefined };
}

/** The patch for a column that is to count up from now on. A patch of a column that counts already is not changed. */
export function countingPatch(
  patch: Partial<ColumnInput>,
  column: ColumnSchema,
  columnTypes: ColumnTypes,
): Partial<ColumnInput> {
  const counts =
    column.autoIncrement || column.primaryKey || columnTypes.get(column.type)?.numbersRows === true;
  if (patch.autoIncrement !== true || counts) return patch;
  return { ...patch, type: countingType(patch.type ?? column.type, columnTypes) };
}

function countingType(id: string, columnTypes: ColumnTypes): string {
  const type = columnTypes.get(id);
  if (type === undefined || type.numbersRows === true) return id;
  const isWhole = type.storage === 'integer' || type.storage === 'bigint';
  const counting = columnTypes.list().find(({ numbersRows }) => numbersRows === true);
  if (!isWhole || counting === undefined) throw schemaErrors.create('ONE_AUTO_INCREMENT');
  return counting.id;
}
