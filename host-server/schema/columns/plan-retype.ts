import type { AccessScope, BaseSchema, ColumnInput, ColumnSchema } from '@trellis/sdk/server';
import type { Database } from '../../databases/database.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { choosesOptions } from './column-options.ts';
import { changesSize } from './column-patch.ts';
import { bareDefault, planColumn, type ColumnPlan } from './column-plan.ts';
import type { ColumnTools, FoundColumn } from './column-tools.ts';
import { withoutGoneOptions } from './default-options.ts';
import { endOf, isNamedByCell, type Conversion } from './convert-value.ts';
import { numbersAll } from './number-rows.ts';
import { optionsOfValues } from './options-of-values.ts';

/** `Decimal (10, 2)`: the type with its sizes. */
export function described({ uidt, length, precision, scale }: ColumnRow, label = uidt): string {
  const sizes = [length, precision, scale].filter((size) => size !== null);
  return sizes.length === 0 ? label : `${label} (${sizes.join(', ')})`;
}

/** The planned outcome of a change of type. */
export interface PlannedRetype {
  readonly base: BaseSchema;
  readonly target: Database;
  readonly plan: ColumnPlan;
  readonly conversion: Conversion;
}

/** Plans a change of a column: whether its values are converted, and how. */
export function createPlanRetype(parts: SchemaStoreParts, tools: ColumnTools) {
  const { databases, columnTypes, requireType, moved } = parts;
  const { baseOf, assertRoom, freeColumnName, assertIndexable } = tools;

  /** The patch, with options that the type makes from the values; undefined when all values stay as they are stored. */
  async function converting(
    { snapshot, table, column }: FoundColumn,
    patch: Partial<ColumnInput>,
  ): Promise<Partial<ColumnInput> | undefined> {
    const type = columnTypes.get(patch.type ?? column.type);
    const hasOwnText = [columnTypes.get(column.type), type].some((of) => of?.storesOwnText === true);
    const isParsed = hasOwnText || type?.storesParsed === true || type?.server?.adopt !== undefined;
    const changesType = patch.type !== undefined && patch.type !== column.type;
    const staysInPlace =
      type?.accepts.includes(column.storage) === true &&
      type.storage === column.storage &&
      !isParsed &&
      !(changesType && type.numbersRows === true && (await lacksNumbers({ snapshot, table, column })));
    const convertsValues =
      !changesType &&
      patch.meta !== undefined &&
      moved.conversionOf(column.type, column.meta ?? {}, patch.meta) !== undefined;
    const isBare = changesType && type !== undefined && !choosesOptions(type, patch.meta);
    const made = isBare
      ? await optionsOfValues(
          { target: await databases.of(baseOf(snapshot, table)), table, column },
          type,
          parts,
        )
      : undefined;
    const stays = (!changesType || staysInPlace) && !made && !convertsValues && !changesSize(column, patch);
    if (stays) return undefined;
    const meta = made === undefined ? patch.meta : { ...patch.meta, ...made };
    return { ...patch, ...(meta && { meta }) };
  }

  /**
   * Whether some rows have no number of their own, or might get none before the change is done. In an external database, a column
   * in which every row has its own number is left as it is.
   */
  async function lacksNumbers({ snapshot, table, column }: FoundColumn): Promise<boolean> {
    const base = baseOf(snapshot, table);
    return base.own || !(await numbersAll(await databases.of(base), table.tableName, column.columnName));
  }

  async function planned(
    scope: AccessScope,
    { table, column }: FoundColumn,
    base: BaseSchema,
    input: ColumnInput,
  ): Promise<PlannedRetype> {
    const target = await databases.of(base);
    await assertRoom(target, table);
    const title = input.title ?? column.title;
    const newName = await freeColumnName(target, table, { title });
    const plan = planColumn(
      input,
      {
        projectId: table.projectId,
        tableId: table.id,
        title,
        columnName: base.own ? newName : column.columnName,
        order: column.order,
        now: Date.now(),
      },
      { requireType, dialect: target.dialect },
    );
    if (plan.row.is_unique) assertIndexable(target, plan.row.title, plan.row.storage);
    const conversion: Conversion = {
      from: endOf(column),
      to: {
        name: newName,
        storage: plan.row.storage,
        nativeType: plan.row.native_type,
        type: plan.row.uidt,
        title: plan.row.title,
        options: input.meta ?? {},
      },
      key: table.primaryKey.map((key) => key.columnName),
      isNamedByCell: isNamedByCell(table),
      by: { projectId: table.projectId, principalId: scope.principal.id },
    };
    return { base, target, plan, conversion };
  }

  /** The former default value, converted to the new options. */
  function movedDefault(
    column: ColumnSchema,
    { type, meta = {} }: ColumnInput,
    text: string | undefined,
  ): string | undefined {
    if (text === undefined) return undefined;
    const value = moved.moveOf(endOf(column), { type, options: meta })?.(bareDefault(text));
    const kept = value === undefined || value === null || typeof value === 'object' ? text : String(value);
    return type === column.type ? withoutGoneOptions(kept, meta, columnTypes.get(type)) : kept;
  }

  return { converting, planned, movedDefault };
}
