import type { ColumnEntity, SortEntity } from '@trellis/sdk/shared';
import { useServerData, useT, type ViewProps } from '@trellis/sdk/web';
import { moved, orderAt, useDragOrder } from './drag-order.ts';
import { itemPath, lockReason, useViewCalls, viewPath } from './use-view-calls.ts';
import { useShownEarly } from './use-shown-early.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

const none: readonly SortEntity[] = [];

export function SortButton(props: ViewProps) {
  const t = useT();
  const { view } = props;
  const { data } = useServerData<{ readonly sorts: { readonly list: readonly SortEntity[] } }>(
    { path: viewPath(view, '/sorts') },
    { tags: [`view:${view.id}`] },
  );
  const sorts = data?.sorts.list ?? none;
  return (
    <ToolbarButton icon="sort-alt" label={t('Sort')} count={sorts.length}>
      {() => <SortPanel {...props} sorts={sorts} />}
    </ToolbarButton>
  );
}

function SortPanel(props: ViewProps & { readonly sorts: readonly SortEntity[] }) {
  const t = useT();
  const { table, view } = props;
  const { shown: sorts, showEarly, takeBack } = useShownEarly(props.sorts);
  const { send } = useViewCalls(view);
  const locked = lockReason(props);
  const columns = (table.columns ?? []).filter((column) => column.virtual !== true);
  const free = columns.filter((column) => sorts.every((sort) => sort.fk_column_id !== column.id));

  function add(column: ColumnEntity | undefined) {
    if (column) {
      void send({
        method: 'POST',
        path: viewPath(view, '/sorts'),
        body: { fk_column_id: column.id, direction: 'asc' },
      });
    }
  }

  function change(sort: SortEntity, patch: Partial<Pick<SortEntity, 'fk_column_id' | 'direction'>>) {
    showEarly(sorts.map((of) => (of === sort ? { ...of, ...patch } : of)));
    void send({ method: 'PATCH', path: itemPath('sorts', sort.id), body: patch }, takeBack);
  }

  function remove(sort: SortEntity) {
    showEarly(sorts.filter((of) => of !== sort));
    void send({ method: 'DELETE', path: itemPath('sorts', sort.id) }, takeBack);
  }

  function move(from: number, to: number) {
    const next = moved(sorts, from, to);
    const order = orderAt(
      sorts.toSpliced(from, 1).map((sort) => sort.order),
      to,
    );
    const renumbered = next.map((sort, index) => ({
      ...sort,
      order: order === undefined ? index + 1 : index === to ? order : sort.order,
    }));
    showEarly(renumbered);
    for (const [index, sort] of renumbered.entries()) {
      if (sort.order === next[index]?.order) continue;
      void send({ method: 'PATCH', path: itemPath('sorts', sort.id), body: { order: sort.order } }, takeBack);
    }
  }

  const canMove = locked === undefined && sorts.length > 1;
  const drag = useDragOrder(sorts.length, move);

  return (
    <div className="views-list">
      {locked && <p className="views-note">{t(locked)}</p>}
      {sorts.length === 0 && (
        <p className="views-note">{t('Rows stand in the order in which they were made.')}</p>
      )}
      {sorts.map((sort, index) => (
        <div key={sort.id} className="views-row" {...(canMove && drag.row(index))}>
          {canMove && (
            <button {...drag.handle(index)} aria-label={t('Move this sort: arrow up or down')}>
              <i className="pi pi-bars" aria-hidden="true" />
            </button>
          )}
          <span className="views-word">{index === 0 ? t('by') : t('then by')}</span>
          <select
            className="views-select views-select--wide"
            aria-label={t('Column to sort by')}
            disabled={locked !== undefined}
            value={sort.fk_column_id}
            onChange={(event) => change(sort, { fk_column_id: event.target.value })}
          >
            {columns
              .filter((column) => column.id === sort.fk_column_id || free.includes(column))
              .map((column) => (
                <option key={column.id} value={column.id}>
                  {column.title}
                </option>
              ))}
          </select>
          <select
            className="views-select"
            aria-label={t('Direction')}
            disabled={locked !== undefined}
            value={sort.direction}
            onChange={(event) => change(sort, { direction: event.target.value === 'desc' ? 'desc' : 'asc' })}
          >
            <option value="asc">{t('ascending')}</option>
            <option value="desc">{t('descending')}</option>
          </select>
          <button
            type="button"
            className="tr-icon-button"
            aria-label={t('Remove this sort')}
            disabled={locked !== undefined}
            onClick={() => remove(sort)}
          >
            <i className="pi pi-trash" aria-hidden="true" />
          </button>
        </div>
      ))}
      {locked === undefined && free.length > 0 && (
        <button
          type="button"
          className="views-add"
          onClick={() => add(free.find((column) => !column.system) ?? free[0])}
        >
          <i className="pi pi-plus" aria-hidden="true" /> {t('Add sort')}
        </button>
      )}
    </div>
  );
}
