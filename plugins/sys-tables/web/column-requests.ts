import type {
  ColumnEntity,
  ColumnUses,
  ProjectEntity,
  TableEntity,
  ViewColumnEntity,
  ViewEntity,
} from '@trellis/sdk/shared';
import type { ApiClient, HostActions, Translate } from '@trellis/sdk/web';
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

/** Places a column of a view half-way between the one named and the one before it. */
export async function placeBefore(
  api: ApiClient,
  view: ViewEntity,
  columnId: string,
  target: string,
): Promise<void> {
  const path = `/api/v1/db/meta/views/${encodeURIComponent(view.id)}/columns`;
  const columns = await api.request<readonly ViewColumnEntity[]>({ path });
  const ordered = columns.toSorted((a, b) => a.order - b.order);
  const at = ordered.findIndex((item) => item.fk_column_id === target);
  const next = ordered[at];
  const moved = columns.find((item) => item.fk_column_id === columnId);
  if (next === undefined || moved === undefined) return;
  const order = ((ordered[at - 1]?.order ?? next.order - 1) + next.order) / 2;
  await api.request({ method: 'PATCH', path: `${path}/${encodeURIComponent(moved.id)}`, body: { order } });
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
