import type { ColumnEntity, ProjectEntity, TableEntity } from '@trellis/sdk/shared';
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
 * @throws ApiError when a column is refused; those made before it are taken back
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
    isExpected: true,
  });
  if (!agreed) return false;
  const taken = new Set((table.columns ?? []).map(({ title }) => title.toLowerCase()));
  const made: ColumnEntity[] = [];
  try {
    for (const column of missing.columns) {
      const title = freeTitle(column.title, taken);
      taken.add(title.toLowerCase());
      const body = { ...column, title };
      const after = await api.request<TableEntity>({ method: 'POST', path: `${path}/columns`, body });
      made.push(...(after.columns ?? []).filter((of) => of.title === title));
    }
  } catch (error) {
    await takeBack(host, made.toReversed());
    throw error;
  } finally {
    invalidate([`table:${table.id}`]);
  }
  return true;
}

/** All of the columns or none: a table with some of them would not be asked about again. Tells which ones cannot be taken back. */
async function takeBack({ api, t, toast }: WebHost, columns: readonly ColumnEntity[]): Promise<void> {
  const stay: string[] = [];
  for (const { id, title } of columns) {
    const path = `/api/v1/db/meta/columns/${encodeURIComponent(id)}`;
    await api.request({ method: 'DELETE', path }).catch(() => stay.push(title));
  }
  if (stay.length === 0) return;
  const list = stay.join(', ');
  toast({
    severity: 'warn',
    summary: t('These columns were added and stay: {{list}}', { list }),
    life: 8000,
  });
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
