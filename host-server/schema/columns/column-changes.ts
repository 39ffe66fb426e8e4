import { auditChanges, auditText, type AuditChange, type ColumnSchema } from '@trellis/sdk/server';
import { withoutUndefined } from '@trellis/sdk/shared';
import type { ColumnRow } from '../../metadata/models/column-model.ts';

const words = {
  title: auditText('Title', {}),
  type: auditText('Type', {}),
  description: auditText('Description', {}),
  required: auditText('Required', {}),
  unique: auditText('Unique', {}),
  defaultValue: auditText('Default value', {}),
  order: auditText('Position', {}),
  meta: auditText('Options', {}),
};

/** What the audit says of a column that gets these cells in the metadata. */
export function columnChanges(column: ColumnSchema, patch: Partial<ColumnRow>): readonly AuditChange[] {
  return auditChanges(words, column, { ...column, ...stated(patch) });
}

/** What the audit says of a column that is made, by its row. A new column has no place to come from. */
export function madeColumn(row: Partial<ColumnRow>): readonly AuditChange[] {
  return auditChanges(words, undefined, { ...stated(row), order: undefined });
}

/** What the audit says of a column that is taken away. */
export function goneColumn({ title, type }: ColumnSchema): readonly AuditChange[] {
  return auditChanges(words, { title, type }, undefined);
}

/** The fields that a patch states, by the names that schemas have for them. */
function stated(patch: Partial<ColumnRow>): Partial<Record<keyof typeof words, unknown>> {
  const { title, uidt, description, required, is_unique, default_value, sort_order, meta } = patch;
  return withoutUndefined({
    title,
    type: uidt,
    description,
    required,
    unique: is_unique,
    defaultValue: default_value,
    order: sort_order,
    meta,
  });
}
