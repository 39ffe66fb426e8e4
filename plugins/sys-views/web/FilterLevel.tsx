import type { ColumnEntity, FilterEntity, ViewEntity } from '@trellis/sdk/shared';
import { useServerData, useT } from '@trellis/sdk/web';
import { FilterJoin } from './FilterJoin.tsx';
import { FilterRow } from './FilterRow.tsx';
import { operatorsFor } from './filter-operators.ts';
import type { FilterEdits, FilterItem, FilterPatch, NewFilter } from './use-filter-edits.ts';
import { itemPath } from './use-view-calls.ts';
import { useColumnTypes, useFilterOperators } from './use-registries.ts';

interface FilterLevelProps {
  readonly view: ViewEntity;
  readonly filters: readonly FilterEntity[];
  /** The group that holds them; none at the root. */
  readonly group?: FilterItem;
  readonly edits: FilterEdits;
  readonly columns: readonly ColumnEntity[];
  readonly isLocked: boolean;
}

/** The filters side by side at the root or in a group, and the way to add another. */
export function FilterLevel({ view, filters, group, edits, columns, isLocked }: FilterLevelProps) {
  const t = useT();
  const types = useColumnTypes();
  const operators = useFilterOperators();
  const shown = edits.shown(filters, group?.id);
  const first = columns.find((of) => of.pv) ?? columns[0];

  function condition(): NewFilter {
    const [operator] = operatorsFor(first && types.get(first.uidt), operators);
    return {
      fk_column_id: first?.id ?? null,
      comparison_op: operator?.id ?? 'eq',
      value: '',
      logical_op: 'and',
    };
  }

  return (
    <>
      {shown.length === 0 && (
        <p className="views-note">
          {group ? t('An empty group does not filter.') : t('Every row is shown.')}
        </p>
      )}
      <ul className="views-filters">
        {shown.map((filter, index) => {
          const shared = {
            filter,
            isFirst: index === 0,
            columns,
            isLocked,
            onChange: (patch: FilterPatch) => void edits.change(filter, patch),
            onRemove: () => void edits.remove(filter),
          };
          return filter.is_group ? (
            <FilterGroup key={filter.id} {...shared} view={view} edits={edits} />
          ) : (
            <FilterRow key={filter.id} {...shared} />
          );
        })}
      </ul>
      {!isLocked && first !== undefined && (
        <div className="views-actions">
          <button
            type="button"
            className="views-add"
            onClick={() => void edits.add({ ...condition(), ...(group && { fk_parent_id: group.id }) })}
          >
            <i className="pi pi-plus" aria-hidden="true" /> {t('Add filter')}
          </button>
          {group === undefined && (
            <button
              type="button"
              className="views-add"
              onClick={() => void edits.add({ is_group: true, logical_op: 'and', children: [condition()] })}
            >
              <i className="pi pi-sitemap" aria-hidden="true" /> {t('Add group')}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Filters that count as one. */
function FilterGroup(props: {
  readonly filter: FilterItem;
  readonly isFirst: boolean;
  readonly columns: readonly ColumnEntity[];
  readonly isLocked: boolean;
  readonly view: ViewEntity;
  readonly edits: FilterEdits;
  readonly onChange: (patch: FilterPatch) => void;
  readonly onRemove: () => void;
}) {
  const t = useT();
  const { filter, view, edits, columns, isLocked } = props;
  const { data } = useServerData<readonly FilterEntity[]>(
    edits.isNew(filter) ? undefined : { path: `${itemPath('filters', filter.id)}/children` },
    { tags: [`view:${view.id}`] },
  );
  return (
    <li className="views-group" role="group" aria-label={t('Group of filters')}>
      <div className="views-row">
        <FilterJoin {...props} />
        <span className="views-group-title">{t('a group of filters')}</span>
        <button
          type="button"
          className="tr-icon-button views-remove"
          aria-label={t('Remove this group')}
          disabled={isLocked}
          onClick={props.onRemove}
        >
          <i className="pi pi-trash" aria-hidden="true" />
        </button>
      </div>
      <FilterLevel
        view={view}
        filters={data ?? []}
        group={filter}
        edits={edits}
        columns={columns}
        isLocked={isLocked}
      />
    </li>
  );
}
