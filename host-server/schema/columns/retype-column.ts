import {
  auditText,
  type AccessScope,
  type BaseSchema,
  type ColumnInput,
  type ColumnSchema,
  type TableSchema,
} from '@trellis/sdk/server';
import type { StorageKind } from '@trellis/sdk/shared';
import type { Database } from '../../databases/database.ts';
import type { DefaultValue } from '../../dialects/schema/schema-changer.ts';
import { DatabaseError } from '../../databases/index.ts';
import { newId } from '../../runtime/ids.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { columnChanges } from './column-changes.ts';
import { changesDefault, formulasKept, lossAccepted, mergedInput } from './column-patch.ts';
import { bareDefault, nowWords } from './column-plan.ts';
import type { ColumnTools, FoundColumn } from './column-tools.ts';
import { columnList } from './column-uses.ts';
import { oldestKept } from '../jobs/parked-times.ts';
import type { RetypeColumn } from '../jobs/job-kinds.ts';
import type { SchemaJobKind } from '../jobs/schema-job-kind.ts';
import { createPlanRetype, described, type PlannedRetype } from './plan-retype.ts';
import { createScanValues } from './scan-values.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';

/** The loss that a person may agree to. */
interface Agreement {
  readonly patch: Partial<ColumnInput>;
  /** Where the former values are kept: the title of a column in the trash, or a column of an external database. */
  readonly kept: string;
  readonly signal: AbortSignal;
}

/** A change of type and its author. */
interface AskedRetype {
  readonly scope: AccessScope;
  readonly found: FoundColumn;
  readonly patch: Partial<ColumnInput>;
  readonly signal: AbortSignal;
}

/** The title of the column in the trash that keeps the former values. */
function oldTitleOf({ title }: ColumnSchema): string {
  return `${title} (old)`;
}

/** Gives a column another type: a new column is filled from the old one, which is parked with its values. */
export function createRetype(parts: SchemaStoreParts, tools: ColumnTools) {
  const { databases, columnTypes, jobs, kinds, moved } = parts;
  const { baseOf, freeColumnName, runUnique, repeatedValues, change, readRow } = tools;
  const { planned, movedDefault } = createPlanRetype(parts, tools);
  const scanValues = createScanValues(parts);

  /**
   * Refuses a change that loses values until the caller agrees, and any change of an external database. True when nobody will
   * want the old values back, because each can be told from its new value: an option was renamed.
   */
  async function assertAgreed(
    scope: AccessScope,
    found: FoundColumn,
    { base, target, plan, conversion }: PlannedRetype,
    { patch, kept, signal }: Agreement,
  ): Promise<boolean> {
    if (patch.meta?.[lossAccepted] === true) return false;
    const { column } = found;
    const scan = await scanValues({ ...found, scope, target, conversion }, { signal });
    const { values: total, lost } = scan;
    const samples = scan.samples.filter((sample) => sample.lost).map(({ from }) => from);
    const isOfOptions = moved.moveOf(conversion.from, conversion.to) !== undefined;
    if (base.own && lost === 0) return isOfOptions;
    const type = described(plan.row, columnTypes.get(plan.row.uidt)?.label);
    const facts = { lost, total, samples, type, column: column.title, kept };
    if (base.own) {
      throw schemaErrors.create(isOfOptions ? 'OPTIONS_IN_USE' : 'RETYPE_LOSES_VALUES', facts);
    }
    throw schemaErrors.create(lost > 0 ? 'RETYPE_OPENED_LOSES_VALUES' : 'RETYPE_OPENED', facts);
  }

  /** The metadata rows after the change: the column, and the parked column with its former values. */
  async function rowsAfter(
    { column }: FoundColumn,
    { plan }: PlannedRetype,
    { name: kept, parkedAt }: { readonly name: string; readonly parkedAt: number },
  ) {
    const before = await readRow(column.id);
    const parked: ColumnRow = {
      ...before,
      id: newId('column'),
      title: oldTitleOf(column),
      column_name: kept,
      required: false,
      display: false,
      parked_at: parkedAt,
      updated_at: plan.row.updated_at,
    };
    const row: ColumnRow = {
      ...plan.row,
      id: column.id,
      display: before.display,
      created_at: before.created_at,
    };
    return { columnId: column.id, row, parked };
  }

  /** @returns the ids of the changed tables: the column's own, and those of formulas that are updated */
  async function run<Payload extends Pick<RetypeColumn, 'keepsFormulas'>>(
    { scope, found: { snapshot, table, column }, signal }: Omit<AskedRetype, 'patch'>,
    { plan, target, conversion }: PlannedRetype,
    kind: SchemaJobKind<Payload>,
    payload: Payload,
  ): Promise<readonly string[]> {
    const naming = payload.keepsFormulas === true ? [] : moved.naming(snapshot, column.id, conversion);
    const following = naming.flatMap((of) => (of.moved.meta === undefined ? [] : [of.column]));
    const of = { title: column.title, table: table.title };
    const description =
      following.length === 0
        ? auditText('Column {{title}} of {{table}} became {{type}}', { ...of, type: described(plan.row) })
        : auditText(
            'Column {{title}} of {{table}} was changed, and with it what names its values: {{columns}}',
            {
              ...of,
              columns: columnList(snapshot, following),
            },
          );
    const repeated = () => repeatedValues({ scope, snapshot, table, target }, column);
    const retyped = change(scope, table, {
      subType: 'UPDATED',
      description,
      changes: columnChanges(column, plan.row),
    });
    await runUnique(column.title, repeated, () => jobs.run(kind, payload, { change: retyped, signal }));
    return [...new Set([table.id, ...following.map(({ tableId }) => tableId)])];
  }

  /** In an external database the column keeps its name, place and rules, since another application may use it. */
  async function replace(asked: AskedRetype, base: BaseSchema): Promise<readonly string[]> {
    const { scope, found, patch, signal } = asked;
    const { table, column } = found;
    const target = await databases.of(base);
    const rules = await rulesOf(target, table, column);
    const input = mergedInput(column, patch);
    const isNewDefault = changesDefault(column, patch);
    const defaultValue = isNewDefault ? patch.defaultValue : movedDefault(column, input, rules.default);
    const retype = await planned(scope, found, base, { ...input, defaultValue });
    const { plan, conversion } = retype;
    if (!isNewDefault) assertKeeps(column, rules.default, plan.row.storage);
    const kept = await freeColumnName(target, table, {
      title: `${column.title} old`,
      columnName: `${column.columnName}_old`,
    });
    await assertAgreed(scope, found, retype, { patch, kept, signal });
    const changesRequired = plan.row.required !== column.required;
    const payload = {
      base,
      tableName: table.tableName,
      conversion,
      ...waysOf(patch),
      ...numberingOf(retype),
      replacement: {
        column: column.columnName,
        nativeType: plan.row.native_type,
        ...(changesRequired && { nullable: !plan.row.required }),
        ...((isNewDefault || rules.default !== undefined) && {
          default: plan.spec.default ?? { kind: 'none' as const },
        }),
        source: conversion.to.name,
        former: { name: kept, nativeType: column.nativeType },
      },
      ...(plan.row.is_unique !== column.unique && { unique: plan.row.is_unique }),
      rulesBefore: {
        ...(changesRequired && { nullable: !column.required }),
        default: writableDefault(rules.default),
      },
      ...(await rowsAfter(found, retype, { name: kept, parkedAt: plan.row.updated_at })),
    };
    try {
      return await run(asked, retype, kinds.replaceColumn, payload);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== 'notNull') throw error;
      throw schemaErrors.create('RETYPE_EMPTIES_REQUIRED', { column: column.title }, { cause: error });
    }
  }

  function numberingOf({ conversion: { key, from, to } }: PlannedRetype): Pick<RetypeColumn, 'numbering'> {
    if (from.type === to.type || columnTypes.get(to.type)?.numbersRows !== true) return {};
    const { name: column, storage, nativeType } = to;
    return { numbering: { key, column, storage, nativeType, hasOthers: true } };
  }

  return async function retype(asked: AskedRetype): Promise<readonly string[]> {
    const { scope, found, patch, signal } = asked;
    const { snapshot, table, column } = found;
    if (table.primaryKey.length === 0) throw schemaErrors.create('RETYPE_NEEDS_KEY');
    const base = baseOf(snapshot, table);
    if (!base.own) return replace(asked, base);
    const input = mergedInput(column, patch);
    const defaultValue = changesDefault(column, patch)
      ? input.defaultValue
      : movedDefault(column, input, input.defaultValue);
    const retype = await planned(scope, found, base, { ...input, defaultValue });
    const isNothingLost = await assertAgreed(scope, found, retype, {
      patch,
      kept: oldTitleOf(column),
      signal,
    });
    // Readers that started before may still use the old column, so the next purge drops it.
    const parkedAt = isNothingLost ? oldestKept() : retype.plan.row.updated_at;
    const payload = {
      base,
      tableName: table.tableName,
      spec: retype.plan.spec,
      conversion: retype.conversion,
      ...waysOf(patch),
      ...numberingOf(retype),
      ...(await rowsAfter(found, retype, { name: column.columnName, parkedAt })),
    };
    return run(asked, retype, kinds.retypeColumn, payload);
  };
}

function waysOf({ meta }: Partial<ColumnInput>): Pick<RetypeColumn, 'keepsFormulas'> {
  return meta?.[formulasKept] === true ? { keepsFormulas: true } : {};
}

/** The default in the database, as SQL: the metadata may state it in other words. */
async function rulesOf(
  target: Database,
  table: TableSchema,
  column: ColumnSchema,
): Promise<{ readonly default: string | undefined }> {
  const { tables } = await target.read((unit) => target.dialect.introspection.read(unit));
  const found = tables
    .find((other) => other.name === table.tableName)
    ?.columns.find((other) => other.name === column.columnName);
  if (found === undefined) throw schemaErrors.create('COLUMN_NOT_FOUND', { column: column.title });
  if (found.computed) throw schemaErrors.create('COLUMN_OF_DATABASE', { column: column.title });
  return {
    default: found.default === undefined || /^null$/i.test(found.default) ? undefined : found.default,
  };
}

/** A default in a form that can be written again; undefined for an expression. */
function writableDefault(sql: string | undefined): DefaultValue | { readonly kind: 'none' } | undefined {
  if (sql === undefined) return { kind: 'none' };
  if (nowWords.test(sql)) return { kind: 'now' };
  if (!literal.test(sql)) return undefined;
  return { kind: 'literal', value: sql.startsWith("'") ? bareDefault(sql) : Number(sql) };
}

const literal = /^(?:'(?:[^']|'')*'|[-+]?\d+(?:\.\d+)?)$/;

/** Refuses a type under which the column's default would mean something else. */
function assertKeeps(column: ColumnSchema, sql: string | undefined, storage: StorageKind): void {
  if (sql === undefined || literal.test(sql)) return;
  const isMoment = storage === 'datetime' || storage === 'date' || storage === 'time';
  if (isMoment && nowWords.test(sql)) return;
  throw schemaErrors.create('COLUMN_DEFAULT_LOST', { column: column.title, value: sql });
}
