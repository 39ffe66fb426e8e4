import type { ColumnInput, ColumnPatch, ColumnSchema, ServerColumnType } from '@trellis/sdk/server';
import { presentOptions } from '../merged-options.ts';

/** The option of a column that a change of its type reads as "yes, lose those values". */
export const lossAccepted = 'acceptLoss';

/** The option that a change of options reads as "formulas that name values which become others stay as they are". */
export const formulasKept = 'keepFormulas';

/** Options that say how a change is made, and are not kept. */
const waysOfChange = new Set([lossAccepted, formulasKept]);

/** The patch for the column as it is now, with the options that others changed since the client saw them. */
export function patchOfPresent(
  column: ColumnSchema,
  { metaBefore: before, ...patch }: ColumnPatch,
  type: ServerColumnType | undefined,
): Partial<ColumnInput> {
  const keepsType = patch.type === undefined || patch.type === column.type;
  if (patch.meta === undefined || !keepsType) return patch;
  const withDefaults = (options: Readonly<Record<string, unknown>>) => ({
    ...type?.options?.defaults,
    ...options,
  });
  return { ...patch, meta: presentOptions({ ...column, withDefaults }, { wanted: patch.meta, before }) };
}

/** What the column would be with this patch. */
export function mergedInput(column: ColumnSchema, patch: Partial<ColumnInput>): ColumnInput {
  const keepsType = patch.type === undefined || patch.type === column.type;
  const wanted = patch.meta ?? (keepsType ? column.meta : undefined) ?? {};
  const meta = Object.fromEntries(Object.entries(wanted).filter(([name]) => !waysOfChange.has(name)));
  return {
    title: patch.title ?? column.title,
    type: patch.type ?? column.type,
    nativeType: keepsType ? (patch.nativeType ?? column.nativeType) : newNativeType(column, patch),
    length: wantedLength(patch) ?? (keepsType ? column.length : undefined),
    precision: patch.precision ?? (keepsType ? column.precision : undefined),
    scale: patch.scale ?? (keepsType ? scaleOf(column) : undefined),
    required: patch.required ?? column.required,
    unique: patch.unique ?? column.unique,
    autoUpdate: patch.autoUpdate ?? (keepsType ? column.autoUpdate : undefined),
    unsigned: column.unsigned,
    description: 'description' in patch ? patch.description : column.description,
    defaultValue: 'defaultValue' in patch ? patch.defaultValue : keepsType ? column.defaultValue : undefined,
    meta: Object.keys(meta).length > 0 ? meta : undefined,
  };
}

/** A column of so many digits, of which nobody says how many stand behind the point, has none there. */
function scaleOf({ precision, scale }: ColumnSchema): string | undefined {
  return scale ?? (precision === undefined ? undefined : '0');
}

/** What a patch says of the description, for the row of the metadata. */
export function describedBy(patch: Partial<ColumnInput>): { readonly description?: string | null } {
  return 'description' in patch ? { description: patch.description ?? null } : {};
}

/** The v1 API has one key for the length of a text and the digits of a number. */
function wantedLength(patch: Partial<ColumnInput>): string | undefined {
  return patch.length ?? patch.precision;
}

/**
 * Whether a patch asks for another length of a text or other digits of a decimal. Kinds without sizes have nothing to change, and a
 * patch can give sizes but not take them away.
 */
export function changesSize(column: ColumnSchema, patch: Partial<ColumnInput>): boolean {
  const differs = (wanted: string | undefined, now: string | undefined) =>
    wanted !== undefined && wanted.trim() !== (now ?? '');
  if (column.storage === 'string') return differs(wantedLength(patch), column.length);
  if (column.storage !== 'decimal') return false;
  return differs(patch.precision, column.precision) || differs(patch.scale, column.scale);
}

/** Clients that change the type also send the native type of the former one, which is left out. */
function newNativeType(column: ColumnSchema, { nativeType }: Partial<ColumnInput>): string | undefined {
  return nativeType === column.nativeType ? undefined : nativeType;
}

/** Whether a patch gives the column another default value, or takes it away. */
export function changesDefault(column: ColumnSchema, patch: Partial<ColumnInput>): boolean {
  return 'defaultValue' in patch && patch.defaultValue !== column.defaultValue;
}

/** Whether a patch asks for more than another title or place. Clients send whole columns back, so equal values do not count. */
export function changesMore(column: ColumnSchema, patch: Partial<ColumnInput>): boolean {
  return (
    (patch.type !== undefined && patch.type !== column.type) ||
    (patch.required !== undefined && patch.required !== column.required) ||
    (patch.unique !== undefined && patch.unique !== column.unique) ||
    (patch.autoUpdate !== undefined && patch.autoUpdate !== column.autoUpdate) ||
    changesDefault(column, patch) ||
    changesSize(column, patch) ||
    (patch.meta !== undefined && JSON.stringify(patch.meta) !== JSON.stringify(column.meta ?? {}))
  );
}
