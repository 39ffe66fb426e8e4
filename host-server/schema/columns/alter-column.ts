import { type AccessScope, type ColumnInput, auditText } from '@trellis/sdk/server';
import { columnChanges } from './column-changes.ts';
import { changesDefault, mergedInput } from './column-patch.ts';
import { planColumn, type ColumnPlan } from './column-plan.ts';
import type { ColumnTools, FoundColumn } from './column-tools.ts';
import type { NewDefault } from '../jobs/job-kinds.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';

/** Changes the rules that the database enforces on a column: required, default and unique. */
export function createAlter(parts: SchemaStoreParts, tools: ColumnTools) {
  const { databases, columnTypes, requireType, jobs, kinds } = parts;
  const { baseOf, assertIndexable, runUnique, assertNoneEmpty, repeatedValues, change } = tools;

  return async function alter(
    scope: AccessScope,
    found: FoundColumn,
    patch: Partial<ColumnInput>,
    signal: AbortSignal,
  ): Promise<void> {
    const { snapshot, table, column } = found;
    const base = baseOf(snapshot, table);
    const target = await databases.of(base);
    const plans = { requireType, dialect: target.dialect };
    const stampOf = (type: string) => columnTypes.get(type)?.stamp;
    const startsRenewing =
      patch.autoUpdate === true && !column.autoUpdate && column.defaultValue === undefined;
    const isNewDefault =
      changesDefault(column, patch) ||
      startsRenewing ||
      stampOf(patch.type ?? column.type) !== stampOf(column.type);
    const planned = (wanted: Partial<ColumnInput>, defaultValue: string | undefined): ColumnPlan =>
      planColumn(
        { ...mergedInput(column, wanted), nativeType: undefined, defaultValue },
        {
          projectId: table.projectId,
          tableId: table.id,
          title: patch.title ?? column.title,
          columnName: column.columnName,
          order: patch.order ?? column.order,
          now: Date.now(),
        },
        plans,
      );
    const plan = planned(patch, isNewDefault ? patch.defaultValue : undefined);
    const asked = { scope, snapshot, table, target };
    const becomesUnique = plan.row.is_unique && !column.unique;
    if (becomesUnique) assertIndexable(target, column.title, column.storage);
    if (plan.row.required && !column.required) await assertNoneEmpty(asked, column);
    const none: NewDefault = { kind: 'none' };
    const payload = {
      base,
      tableName: table.tableName,
      columnName: column.columnName,
      columnId: column.id,
      nullable: plan.row.required === column.required ? undefined : !plan.row.required,
      wasNullable: !column.required,
      default: isNewDefault
        ? {
            to: plan.spec.default ?? none,
            former: base.own ? (planned({}, column.defaultValue).spec.default ?? none) : undefined,
          }
        : undefined,
      unique: plan.row.is_unique === column.unique ? undefined : plan.row.is_unique,
      patch: {
        title: plan.row.title,
        uidt: plan.row.uidt,
        fallback: plan.row.fallback,
        meta: plan.row.meta,
        description: plan.row.description,
        required: plan.row.required,
        is_unique: plan.row.is_unique,
        ...(isNewDefault && { default_value: plan.row.default_value }),
        auto_update: plan.row.auto_update,
        sort_order: plan.row.sort_order,
      },
    };
    const repeated = () => repeatedValues(asked, column);
    const altered = change(scope, table, {
      subType: 'UPDATED',
      description: auditText('Column {{title}} of {{table}} was changed', {
        title: column.title,
        table: table.title,
      }),
      changes: columnChanges(column, payload.patch),
    });
    await runUnique(column.title, repeated, () =>
      jobs.run(kinds.alterColumn, payload, { change: altered, signal }),
    );
  };
}
