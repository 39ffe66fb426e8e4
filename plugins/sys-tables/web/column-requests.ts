import type {
  ColumnEntity,
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

/** What hangs on a column, in a sentence for each kind; none where nothing does. */
export function sentencesOf({ views, columns }: ColumnUses, t: Translate): readonly string[] {
  const list = (titles: readonly string[]): string => titles.map((title) => `“${title}”`).join(', ');
  const of = (part: 'filters' | 'sorts'): string =>
    list(views.filter((view) => view[part]).map(({ title }) => title));
  const [filters, sorts] = [of('filters'), of('sorts')];
  const computed = list(columns.map(({ table, title }) => `${table}.${title}`));
  return [
    ...(filters === '' ? [] : [t('These views filter by it: {{titles}}.', { titles: filters })]),
    ...(sorts === '' ? [] : [t('These views sort by it: {{titles}}.', { titles: sorts })]),
    ...(computed === '' ? [] : [t('These columns are computed from it: {{titles}}.', { titles: computed })]),
  ];
}

/** The column that a table did not have before. */
export function addedColumn(before: TableEntity, after: TableEntity): ColumnEntity | undefined {
  const known = new Set((before.columns ?? []).map((of) => of.id));
  return after.columns?.find((of) => !known.has(of.id));
}

/** Places a column of a view before another one. */
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

/** Asks whether a column is to be deleted, and says what hangs on it. */
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
  return confirm({
    title: t('Delete column {{title}}?', { title: column.title }),
    message: [fate, ...sentencesOf(uses, t)].join(' '),
    confirmLabel: t('Delete'),
    danger: true,
  });
}
