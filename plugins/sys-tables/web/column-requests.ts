import type {
  ColumnEntity,
  ColumnInTable,
  ColumnUses,
  ProjectEntity,
  TableEntity,
  ViewColumnEntity,
  ViewEntity,
} from '@trellis/sdk/shared';
import type { ApiClient, HostActions, Translate } from '@trellis/sdk/web';
import { numbersOfMove } from '@trellis/sdk/web/ui';
import { columnPath } from './table-requests.ts';

export function usesPath(columnId: string): string {
  return `${columnPath(columnId)}/uses`;
}

/** A column's uses: one sentence for each kind of use. */
export function sentencesOf({ views, columns, namesRows }: ColumnUses, t: Translate): readonly string[] {
  const of = (part: 'filters' | 'sorts' | 'options'): string =>
    listOf(views.filter((view) => view[part]).map(({ title }) => title));
  const [filters, sorts, options] = [of('filters'), of('sorts'), of('options')];
  const computed = columnList(columns.filter(({ goes }) => !goes));
  return [
    ...(namesRows ? [t('The rows of the table are named by it.')] : []),
    ...(filters === '' ? [] : [t('These views filter by it: {{titles}}.', { titles: filters })]),
    ...(sorts === '' ? [] : [t('These views sort by it: {{titles}}.', { titles: sorts })]),
    ...(options === '' ? [] : [t('These views are arranged by it: {{titles}}.', { titles: options })]),
    ...(computed === '' ? [] : [t('These columns are computed from it: {{titles}}.', { titles: computed })]),
  ];
}

function listOf(titles: readonly string[]): string {
  return titles.map((title) => `“${title}”`).join(', ');
}

/** Columns with their tables, as part of a sentence. */
export function columnList(columns: readonly ColumnInTable[]): string {
  return listOf(columns.map(({ table, title }) => `${table}.${title}`));
}

/** The column that the change added; for a link and its key, the link. */
export function addedColumn(before: TableEntity, after: TableEntity): ColumnEntity | undefined {
  const known = new Set((before.columns ?? []).map((of) => of.id));
  const added = after.columns?.filter((of) => !known.has(of.id)) ?? [];
  return added.find(({ uidt }) => uidt !== 'ForeignKey') ?? added[0];
}

/** Says which shared views do not show a new column yet: the person who added it decides where to show it. */
export async function tellWhereHidden(
  { api, t, toast }: Pick<HostActions, 'api' | 't' | 'toast'>,
  made: ColumnEntity,
  { views = [] }: TableEntity,
): Promise<void> {
  const open = views.filter(({ uuid }) => uuid !== undefined && uuid !== null);
  const shown = await Promise.all(
    open.map(async ({ id }) => {
      const path = `/api/v1/db/meta/views/${encodeURIComponent(id)}/columns`;
      const columns = await api.request<readonly ViewColumnEntity[]>({ path });
      return columns.some((of) => of.fk_column_id === made.id && of.show);
    }),
  );
  const count = shown.filter((isShown) => !isShown).length;
  if (count === 0) return;
  const summary = t('{{title}} is not shown in {{count}} shared views', {
    count,
    title: made.title,
    one: '{{title}} is not shown in one shared view',
  });
  toast({ severity: 'info', summary, life: 8000 });
}

/** Moves a view's column before another one. */
export async function placeBefore(
  api: ApiClient,
  view: ViewEntity,
  columnId: string,
  target: string,
): Promise<void> {
  const path = `/api/v1/db/meta/views/${encodeURIComponent(view.id)}/columns`;
  const columns = await api.request<readonly ViewColumnEntity[]>({ path });
  const ordered = columns.toSorted((a, b) => a.order - b.order);
  const placeOf = (id: string): number => ordered.findIndex((item) => item.fk_column_id === id);
  const [from, next] = [placeOf(columnId), placeOf(target)];
  if (from < 0 || next < 0) return;
  const orders = ordered.map(({ order }) => order);
  for (const [row, order] of numbersOfMove(orders, from, from < next ? next - 1 : next)) {
    const { id = '' } = ordered[row] ?? {};
    await api.request({ method: 'PATCH', path: `${path}/${encodeURIComponent(id)}`, body: { order } });
  }
}

/** Asks whether to delete a column, and lists its uses. */
export async function askToDelete(
  { api, t, confirm }: HostActions,
  column: ColumnEntity,
  project: ProjectEntity | undefined,
): Promise<boolean> {
  const uses = await api.request<ColumnUses>({ path: usesPath(column.id) });
  const fate =
    project?.is_meta === false
      ? t('It disappears here for everybody at once. The database keeps it, with its values.')
      : t(
          'It disappears for everybody at once, with its values. The trash of the project keeps it for 30 days.',
        );
  const along = columnList(uses.columns.filter(({ goes }) => goes));
  const others = along === '' ? [] : [t('These columns are deleted with it: {{titles}}.', { titles: along })];
  return confirm({
    title: t('Delete column {{title}}?', { title: column.title }),
    message: [fate, ...others, ...sentencesOf(uses, t)].join(' '),
    confirmLabel: t('Delete'),
    danger: true,
  });
}
