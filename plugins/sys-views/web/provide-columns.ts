import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import {
  hasPermission,
  withinTable,
  type MissingColumns,
  type WebColumnType,
  type WebHost,
  type WebViewType,
} from '@trellis/sdk/web';

interface Place {
  readonly project: ProjectEntity;
  /** With its columns or, as in lists, without them. */
  readonly table: TableEntity;
  readonly types: readonly WebColumnType[];
}

/**
 * Makes the columns that a view of the type cannot be without, where the table has none and the person agrees. Where the person may not
 * add columns nothing is asked, and the server says what is missing.
 *
 * @returns false when the person wants neither them nor the view
 * @throws ApiError when a column is refused
 */
export async function provideColumns(
  host: WebHost,
  type: WebViewType,
  { project, table: listed, types }: Place,
): Promise<boolean> {
  const { api, t, confirm, invalidate } = host;
  const base = project.bases?.find(({ id }) => id === listed.base_id);
  if (type.missingColumns === undefined || listed.type === 'view' || base?.schema_changes === false)
    return true;
  const path = `/api/v1/db/meta/tables/${encodeURIComponent(listed.id)}`;
  const table = listed.columns === undefined ? await api.request<TableEntity>({ path }) : listed;
  if (!hasPermission('columnAdd', withinTable(project, table))) return true;
  const missing = missingIn(host, type, { table, types });
  if (missing === undefined) return true;
  const agreed = await confirm({
    title: t('Make what the view needs?'),
    message: missing.message,
    confirmLabel: t('Create view'),
  });
  if (!agreed) return false;
  const taken = new Set((table.columns ?? []).map(({ title }) => title.toLowerCase()));
  try {
    for (const column of missing.columns) {
      const title = freeTitle(column.title, taken);
      taken.add(title.toLowerCase());
      await api.request({ method: 'POST', path: `${path}/columns`, body: { ...column, title } });
    }
  } finally {
    invalidate([`table:${table.id}`]);
  }
  return true;
}

/** Said in the words of the plugin that brings the type; a plugin that fails at it costs nothing but the question. */
function missingIn(
  host: WebHost,
  type: WebViewType,
  { table, types }: Pick<Place, 'table' | 'types'>,
): MissingColumns | undefined {
  const { t } = host.hostOf(host.registry('viewTypes').ownerOf(type.id) ?? 'host');
  try {
    return type.missingColumns?.(table, { t, types });
  } catch (error) {
    host.reportError({ registry: 'viewTypes', id: type.id }, `missingColumns() of ${type.id}`, error);
    return undefined;
  }
}

function freeTitle(wanted: string, taken: ReadonlySet<string>): string {
  let title = wanted;
  for (let count = 2; taken.has(title.toLowerCase()); count += 1) title = `${wanted} ${count}`;
  return title;
}
