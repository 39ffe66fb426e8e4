import type { AccessScope, ColumnInput, TableSchema } from '@trellis/sdk/server';
import { newId } from '../../runtime/ids.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { lossAccepted, mergedInput, movesValues } from './column-patch.ts';
import { planColumn } from './column-plan.ts';
import type { ColumnTools, FoundColumn } from './column-tools.ts';
import { reportLoss, type Conversion } from './convert-value.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';

/** `Decimal (10, 2)`: the type with the sizes that a value must fit into. */
function described({ uidt, length, precision, scale }: ColumnRow, label = uidt): string {
  const sizes = [length, precision, scale].filter((size) => size !== null);
  return sizes.length === 0 ? label : `${label} (${sizes.join(', ')})`;
}

/** Whether the text that names a row can be compared with the one cell of its key. */
function isNamedByCell({ primaryKey: [key, ...others] }: TableSchema): boolean {
  const isComparable = ['integer', 'bigint', 'string', 'text'].includes(key?.storage ?? '');
  return isComparable && others.length === 0;
}

/** Gives a column another type: a new column is filled from the old one, which is parked with its values. */
export function createRetype(parts: SchemaStoreParts, tools: ColumnTools) {
  const { databases, columnTypes, jobs, kinds, convert } = parts;
  const { baseOf, assertRoom, freeColumnName, assertIndexable, runUnique, change, readRow } = tools;

  return async function retype(
    scope: AccessScope,
    found: FoundColumn,
    patch: Partial<ColumnInput>,
    signal: AbortSignal,
  ): Promise<void> {
    const { snapshot, table, column } = found;
    const base = baseOf(snapshot, table);
    const target = await databases.of(base);
    if (table.primaryKey.length === 0) throw schemaErrors.create('RETYPE_NEEDS_KEY');
    await assertRoom(target, table);
    const input = mergedInput(column, patch);
    const columnName = await freeColumnName(target, table, input.title ?? column.title, undefined);
    const now = Date.now();
    const plan = planColumn(
      input,
      {
        projectId: table.projectId,
        tableId: table.id,
        title: input.title ?? column.title,
        columnName,
        order: column.order,
        now,
      },
      { columnTypes, dialect: target.dialect },
    );
    if (plan.row.is_unique) assertIndexable(target, plan.row.title, plan.row.storage);
    const conversion: Conversion = {
      from: {
        name: column.columnName,
        storage: column.storage,
        nativeType: column.nativeType,
        type: column.type,
        title: column.title,
        options: column.meta ?? {},
      },
      to: {
        name: columnName,
        storage: plan.row.storage,
        nativeType: plan.row.native_type,
        type: plan.row.uidt,
        title: plan.row.title,
        options: input.meta ?? {},
      },
      key: table.primaryKey.map((key) => key.columnName),
      isNamedByCell: isNamedByCell(table),
    };
    if (patch.meta?.[lossAccepted] !== true) {
      const { total, lost, samples } = await reportLoss(target, table.tableName, conversion, convert);
      if (lost > 0) {
        const type = described(plan.row, columnTypes.get(plan.row.uidt)?.label);
        const keepsType = conversion.from.type === conversion.to.type;
        const isOfOptions = keepsType && movesValues(column, patch, columnTypes.get(column.type));
        throw schemaErrors.create(isOfOptions ? 'OPTIONS_IN_USE' : 'RETYPE_LOSES_VALUES', {
          lost,
          total,
          samples,
          type,
          column: column.title,
        });
      }
    }
    const before = await readRow(column.id);
    const parked: ColumnRow = {
      ...before,
      id: newId('column'),
      title: `${column.title} (old)`,
      required: false,
      display: false,
      parked_at: now,
      updated_at: now,
    };
    const row: ColumnRow = {
      ...plan.row,
      id: column.id,
      display: before.display,
      created_at: before.created_at,
    };
    const payload = {
      base,
      tableName: table.tableName,
      spec: plan.spec,
      conversion,
      columnId: column.id,
      row,
      parked,
    };
    await runUnique(column.title, () =>
      jobs.run(
        table.projectId,
        kinds.retypeColumn,
        payload,
        signal,
        change(
          scope,
          table,
          'UPDATED',
          `Column ${column.title} of ${table.title} became ${described(plan.row)}`,
        ),
      ),
    );
  };
}
