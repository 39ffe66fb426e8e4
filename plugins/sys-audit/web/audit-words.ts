import { projectRoles } from '@trellis/sdk/shared';
import type { useT } from '@trellis/sdk/web';
import type { AuditEntity } from '../shared/index.ts';

type Translate = ReturnType<typeof useT>;

/** The names of the kinds of lines. */
export const typeLabels: Readonly<Record<string, { readonly label: string; readonly icon: string }>> = {
  DATA: { label: 'Rows', icon: 'table' },
  COMMENT: { label: 'Comments', icon: 'comment' },
  PROJECT: { label: 'Project', icon: 'folder' },
  TABLE: { label: 'Tables', icon: 'th-large' },
  TABLE_COLUMN: { label: 'Columns', icon: 'bars' },
  VIEW: { label: 'Views', icon: 'eye' },
  WEBHOOKS: { label: 'Webhooks', icon: 'send' },
  AUTOMATIONS: { label: 'Automations', icon: 'bolt' },
  SCHEDULES: { label: 'Schedules', icon: 'clock' },
  META: { label: 'Settings', icon: 'cog' },
  AUTHENTICATION: { label: 'People and rights', icon: 'shield' },
};

/** A line's action in the person's language; older entries without such words appear as they were recorded. */
export function wordsOf(line: AuditEntity, t: Translate): string {
  const { op_type, op_sub_type, row_id, row_count, description, said } = line;
  if (op_type === 'COMMENT') return t('Commented on row {{row}}', { row: row_id ?? '' });
  if (said) return t(said.text, valuesIn(said.values, t));
  if (op_type !== 'DATA') return description;
  const count = row_count ?? 1;
  const row = row_id ?? '';
  switch (op_sub_type?.replace('BULK_', '')) {
    case 'INSERT':
      return row_id === null
        ? t('Added {{count}} rows', { count, one: 'Added one row' })
        : t('Added row {{row}}', { row });
    case 'UPDATE':
      return row_id === null
        ? t('Changed {{count}} rows', { count, one: 'Changed one row' })
        : t('Changed row {{row}}', { row });
    case 'DELETE':
      return row_id === null
        ? t('Deleted {{count}} rows', { count, one: 'Deleted one row' })
        : t('Deleted row {{row}}', { row });
    default:
      return description;
  }
}

/** The values of a sentence; built-in roles get the page's names. */
function valuesIn(values: Readonly<Record<string, string>>, t: Translate): Readonly<Record<string, string>> {
  const { role } = values;
  const isBuiltIn = projectRoles.some((name) => name === role);
  return role !== undefined && isBuiltIn ? { ...values, role: t(role) } : values;
}
