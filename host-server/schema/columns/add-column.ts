import {
  type AccessScope,
  type ColumnInput,
  type ColumnSchema,
  type TableSchema,
  auditText,
} from '@trellis/sdk/server';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { createLinks } from '../links/links.ts';
import { checkColumnTitle, gapOf } from '../names.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { madeColumn } from './column-changes.ts';
import { mergedInput } from './column-patch.ts';
import { assertNumbersOnce, planColumn } from './column-plan.ts';
import type { ColumnTools, FoundColumn } from './column-tools.ts';
import { countingColumn } from './counting-type.ts';
import { assertDefaultIsOption } from './default-options.ts';
import { endOf, isNamedByCell, type Conversion } from './convert-value.ts';
import { existingCells } from './existing-cells.ts';
import type { createVirtualColumns } from './virtual-columns.ts';

/** A column to be added. */
interface AddedColumn {
  readonly tableId: string;
  readonly input: ColumnInput;
  /** A column of the same table and type whose values the new one is filled with. */
  readonly from?: ColumnSchema;
  readonly signal: AbortSignal;
}

/** Adds a column, empty or with the values of another one. */
export function createAdd(
  parts: SchemaStoreParts,
  tools: ColumnTools,
  {
    virtual,
    links,
  }: {
    readonly virtual: Pick<ReturnType<typeof createVirtualColumns>, 'create'>;
    readonly links: Pick<ReturnType<typeof createLinks>, 'create'>;
  },
) {
  const { databases, columnTypes, requireType, jobs, kinds } = parts;
  const { findTable, baseOf, assertChangeable, assertRoom, freeColumnName, assertIndexable } = tools;
  const { runUnique, assertNoneEmpty, change } = tools;

  /** Resolves to the ids of the changed tables. */
  return async function add(
    scope: AccessScope,
    { tableId, input: given, from, signal }: AddedColumn,
  ): Promise<readonly string[]> {
    const input = countingColumn(given, columnTypes);
    const { snapshot, table } = await findTable(scope, tableId);
    const type = columnTypes.get(input.type);
    if (type?.storage !== 'virtual') assertChangeable(table);
    const base = baseOf(snapshot, table);
    const target = await databases.of(base);
    await assertRoom(target, table);
    const title = checkColumnTitle(
      input.title ?? input.columnName ?? '',
      table.columns.map((column) => column.title),
      snapshot.project,
    );
    const order = input.order ?? Math.max(0, ...table.columns.map((column) => column.order)) + 1;
    if (from !== undefined && type?.server?.link !== undefined)
      throw schemaErrors.create('COPY_LINK', { column: from.title });
    const link = type?.server?.link?.(input.meta ?? {});
    if (type !== undefined && link !== undefined) {
      return links.create(
        scope,
        { snapshot, table },
        { title, type, input: link, viewId: input.viewId },
        signal,
      );
    }
    if (type?.storage === 'virtual') {
      await virtual.create(scope, { snapshot, table }, type, { input, title, order });
      return [tableId];
    }
    assertNumbersOnce(type, table.columns, columnTypes);
    if (from === undefined) assertDefaultIsOption(title, input, type);
    const columnName = await freeColumnName(target, table, { title, columnName: input.columnName });
    const plan = planColumn(
      { ...input, primaryKey: false, autoIncrement: false },
      { projectId: table.projectId, tableId, title, columnName, order, now: Date.now() },
      { requireType, dialect: target.dialect },
    );
    if (plan.row.required && plan.spec.default === undefined)
      await assertNoneEmpty({ scope, snapshot, table, target }, title);
    if (from !== undefined && table.primaryKey.length === 0) throw schemaErrors.create('COPY_NEEDS_KEY');
    const payload = {
      base,
      tableName: table.tableName,
      spec: plan.spec,
      row: plan.row,
      viewId: input.viewId,
      unique: plan.row.is_unique,
      existing: from ? copyingOf(table, from, plan.row) : existingCells(table, plan.row, columnTypes),
    };
    if (plan.row.is_unique) assertIndexable(target, title, plan.row.storage);
    const of = { title, table: table.title };
    const done =
      from === undefined
        ? auditText('Column {{title}} was added to {{table}}', of)
        : auditText('Column {{title}} of {{table}} was copied from {{from}}', { ...of, from: from.title });
    const made = change(scope, table, {
      subType: 'CREATED',
      description: done,
      changes: madeColumn(plan.row),
    });
    const isDefault = () => Promise.resolve({ count: 1, samples: `'${plan.row.default_value ?? ''}'` });
    await runUnique(title, isDefault, () => jobs.run(kinds.createColumn, payload, { change: made, signal }));
    return [tableId];
  };
}

/** The conversion that copies values to a column of the same type. */
function copyingOf(table: TableSchema, from: ColumnSchema, { column_name, title }: ColumnRow): Conversion {
  return {
    from: endOf(from),
    to: { ...endOf(from), name: column_name, title },
    key: table.primaryKey.map((key) => key.columnName),
    isNamedByCell: isNamedByCell(table),
    isCopy: true,
  };
}

/** The input that makes a copy of a column. Rules that copied values could break are left out. */
export function copyOf({ snapshot, column, table }: FoundColumn, title: string | undefined): ColumnInput {
  const taken = new Set(table.columns.map((other) => other.title.toLowerCase()));
  const free = (name: string): string => {
    for (let count = 1; ; count += 1) {
      const next = [name, 'copy', ...(count === 1 ? [] : [count])].join(gapOf(snapshot.project));
      if (!taken.has(next.toLowerCase())) return next;
    }
  };
  return {
    ...mergedInput(column, { required: false, unique: false }),
    title: title ?? free(column.title),
  };
}
