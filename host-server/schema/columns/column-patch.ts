import type { ColumnInput, ColumnPatch, ColumnSchema, ServerColumnType } from '@trellis/sdk/server';
import { presentOptions } from '../merged-options.ts';

/** The option by which the caller of a change of type agrees to lose values that do not fit. */
export const lossAccepted = 'acceptLoss';

/** The option by which a change of options leaves formulas as they are, although they name values that change. */
export const formulasKept = 'keepFormulas';

/** Options that control a change and are not stored. */
const waysOfChange = new Set([lossAccepted, formulasKept]);

/** The patch applied to the column as it is now, merged with options that others changed since the client read them. */
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

/** The scale of a column with a precision. Without a stated scale it is 0. */
function scaleOf({ precision, scale }: ColumnSchema): string | undefined {
  return scale ?? (precision === undefined ? undefined : '0');
}

/** The description in a patch, as a field of the metadata's row. */
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

/** The native type that a patch asks for. Clients that change the type also send the old native type, which is ignored. */
function newNativeType(column: ColumnSchema, { nativeType }: Partial<ColumnInput>): string | undefined {
  return nativeType === column.nativeType ? undefined : nativeType;
}

/** Whether a patch gives the column another default value, or takes it away. */
export function changesDefault(column: ColumnSchema, patch: Partial<ColumnInput>): boolean {
  return 'defaultValue' in patch && patch.defaultValue !== column.defaultValue;
}

/** Whether a patch changes more than title and place. Clients send whole columns back, so equal values do not count. */
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
