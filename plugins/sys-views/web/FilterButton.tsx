import type { FilterEntity } from '@trellis/sdk/shared';
import { useServerData, useT, type ViewProps } from '@trellis/sdk/web';
import { FilterRow } from './FilterRow.tsx';
import { operatorsFor } from './filter-operators.ts';
import { itemPath, lockReason, useViewCalls, viewPath } from './use-view-calls.ts';
import { useColumnTypes, useFilterOperators } from './use-registries.ts';
import { ToolbarButton } from './ToolbarButton.tsx';

export function FilterButton(props: ViewProps) {
  const t = useT();
  const { view, project } = props;
  // CONTRACT 2.3: commenters may not read filters.
  const mayRead = project.role !== 'commenter';
  const { data } = useServerData<readonly FilterEntity[]>(
    mayRead ? { path: viewPath(view, '/filters') } : undefined,
    {
      tags: [`view:${view.id}`],
    },
  );
  const filters = data ?? [];
  if (!mayRead) return null;
  return (
    <ToolbarButton icon="filter" label={t('Filter')} count={filters.length}>
      {() => <FilterPanel {...props} filters={filters} />}
    </ToolbarButton>
  );
}

function FilterPanel(props: ViewProps & { readonly filters: readonly FilterEntity[] }) {
  const t = useT();
  const { table, view, filters } = props;
  const { send } = useViewCalls(view);
  const locked = lockReason(props);
  const columns = (table.columns ?? []).filter((column) => column.virtual !== true);
  const types = useColumnTypes();
  const operators = useFilterOperators();

  function add() {
    const column = columns.find((of) => of.pv) ?? columns[0];
    if (column === undefined) return;
    const [operator] = operatorsFor(types.get(column.uidt), operators);
    void send({
      method: 'POST',
      path: viewPath(view, '/filters'),
      body: { fk_column_id: column.id, comparison_op: operator?.id ?? 'eq', value: '', logical_op: 'and' },
    });
  }

  return (
    <div className="views-list">
      {locked && <p className="views-note">{t(locked)}</p>}
      {filters.length === 0 && <p className="views-note">{t('Every row is shown.')}</p>}
      {filters.map((filter, index) =>
        filter.is_group ? (
          <p key={filter.id} className="views-note">
            {t('A group of filters that was made through the API also applies.')}
          </p>
        ) : (
          <FilterRow
            key={filter.id}
            filter={filter}
            isFirst={index === 0}
            columns={columns}
            isLocked={locked !== undefined}
            onChange={(body) => void send({ method: 'PATCH', path: itemPath('filters', filter.id), body })}
            onRemove={() => void send({ method: 'DELETE', path: itemPath('filters', filter.id) })}
          />
        ),
      )}
      {locked === undefined && (
        <button type="button" className="views-add" onClick={add}>
          <i className="pi pi-plus" aria-hidden="true" /> {t('Add filter')}
        </button>
      )}
    </div>
  );
}
