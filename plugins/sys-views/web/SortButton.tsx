import type { ColumnEntity, SortEntity } from '@trellis/sdk/shared';
import { useServerData, useT, type ViewProps } from '@trellis/sdk/web';
import { itemPath, lockReason, useViewCalls, viewPath } from './use-view-calls.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

export function SortButton(props: ViewProps) {
  const t = useT();
  const { view } = props;
  const { data } = useServerData<{ readonly sorts: { readonly list: readonly SortEntity[] } }>(
    { path: viewPath(view, '/sorts') },
    { tags: [`view:${view.id}`] },
  );
  const sorts = data?.sorts.list ?? [];
  return (
    <ToolbarButton icon="sort-alt" label={t('Sort')} count={sorts.length}>
      {() => <SortPanel {...props} sorts={sorts} />}
    </ToolbarButton>
  );
}

function SortPanel(props: ViewProps & { readonly sorts: readonly SortEntity[] }) {
  const t = useT();
  const { table, view, sorts } = props;
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

  function change(sort: SortEntity, body: object) {
    void send({ method: 'PATCH', path: itemPath('sorts', sort.id), body });
  }

  return (
    <div className="views-list">
      {locked && <p className="views-note">{t(locked)}</p>}
      {sorts.length === 0 && (
        <p className="views-note">{t('Rows stand in the order in which they were made.')}</p>
      )}
      {sorts.map((sort, index) => (
        <div key={sort.id} className="views-row">
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
            onChange={(event) => change(sort, { direction: event.target.value })}
          >
            <option value="asc">{t('ascending')}</option>
            <option value="desc">{t('descending')}</option>
          </select>
          <button
            type="button"
            className="tr-icon-button"
            aria-label={t('Remove this sort')}
            disabled={locked !== undefined}
            onClick={() => void send({ method: 'DELETE', path: itemPath('sorts', sort.id) })}
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
