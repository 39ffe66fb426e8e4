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

/** The audit's changes for a column whose metadata gets this patch. */
export function columnChanges(column: ColumnSchema, patch: Partial<ColumnRow>): readonly AuditChange[] {
  return auditChanges(words, column, { ...column, ...stated(patch) });
}

/** The audit's changes for a new column, from its row. They state no place: a new column did not move. */
export function madeColumn(row: Partial<ColumnRow>): readonly AuditChange[] {
  return auditChanges(words, undefined, { ...stated(row), order: undefined });
}

/** The audit's changes for a deleted column. */
export function goneColumn({ title, type }: ColumnSchema): readonly AuditChange[] {
  return auditChanges(words, { title, type }, undefined);
}

/** The fields of a patch, by their names in schemas. */
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
