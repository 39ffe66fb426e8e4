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
 * Creates the columns that a view of the type requires, if the table has none and the person agrees. If the person may not add
 * columns, nothing is asked, and the server reports what is missing.
 *
 * @returns false if the person wants neither the columns nor the view
 * @throws ApiError if a column is refused; the columns created before it are removed again
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

/**
 * Creates all of the columns or none: for a table with some of them, the question would not be asked again. Reports columns that
 * cannot be removed.
 */
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

/** The missing columns, in the words of the type's plugin; if the plugin fails, only the question is omitted. */
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
