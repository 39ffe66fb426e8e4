import type { ColumnInput, ColumnSchema } from '@trellis/sdk/server';

/** The option of a column that a change of its type reads as "yes, lose those values". */
export const lossAccepted = 'acceptLoss';

/** What the column would be with this patch. */
export function mergedInput(column: ColumnSchema, patch: Partial<ColumnInput>): ColumnInput {
  const keepsType = patch.type === undefined || patch.type === column.type;
  const wanted = patch.meta ?? (keepsType ? column.meta : undefined) ?? {};
  const meta = Object.fromEntries(Object.entries(wanted).filter(([name]) => name !== lossAccepted));
  return {
    title: patch.title ?? column.title,
    type: patch.type ?? column.type,
    nativeType: keepsType ? (patch.nativeType ?? column.nativeType) : newNativeType(column, patch),
    length: patch.length ?? (keepsType ? column.length : undefined),
    precision: patch.precision ?? (keepsType ? column.precision : undefined),
    scale: patch.scale ?? (keepsType ? column.scale : undefined),
    required: patch.required ?? column.required,
    unique: patch.unique ?? column.unique,
    autoUpdate: patch.autoUpdate ?? column.autoUpdate,
    unsigned: column.unsigned,
    defaultValue: 'defaultValue' in patch ? patch.defaultValue : keepsType ? column.defaultValue : undefined,
    meta: Object.keys(meta).length > 0 ? meta : undefined,
  };
}

/** Clients that change the type send the native type of the former one along. */
function newNativeType(column: ColumnSchema, { nativeType }: Partial<ColumnInput>): string | undefined {
  return nativeType === column.nativeType ? undefined : nativeType;
}

/** Whether a patch asks for more than another title or place. Clients send whole columns back, so equal values do not count. */
export function changesMore(column: ColumnSchema, patch: Partial<ColumnInput>): boolean {
  return (
    (patch.type !== undefined && patch.type !== column.type) ||
    (patch.required !== undefined && patch.required !== column.required) ||
    (patch.unique !== undefined && patch.unique !== column.unique) ||
    (patch.autoUpdate !== undefined && patch.autoUpdate !== column.autoUpdate) ||
    ('defaultValue' in patch && patch.defaultValue !== column.defaultValue) ||
    (patch.meta !== undefined && JSON.stringify(patch.meta) !== JSON.stringify(column.meta ?? {}))
  );
}
