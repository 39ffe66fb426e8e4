import type { FilterEntity } from '@trellis/sdk/shared';
import { useServerData, useT, type ViewProps } from '@trellis/sdk/web';
import { FilterLevel } from './FilterLevel.tsx';
import { isEffective } from './filter-operators.ts';
import { ToolbarButton } from './ToolbarButton.tsx';
import { useFilterEdits } from './use-filter-edits.ts';
import { useFilterOperators } from './use-registries.ts';
import { lockReason, viewPath } from './use-view-calls.ts';

export function FilterButton(props: ViewProps) {
  // The server refuses filters to commenters (`filterList`).
  return props.project.role === 'commenter' ? null : <FilterOfView key={props.view.id} {...props} />;
}

function FilterOfView(props: ViewProps) {
  const t = useT();
  const { table, view } = props;
  const { data } = useServerData<readonly FilterEntity[]>(
    { path: viewPath(view, '/filters') },
    { tags: [`view:${view.id}`] },
  );
  const filters = data ?? [];
  const operators = useFilterOperators();
  // Above the panel: what waits for "Apply" outlives its closing.
  const edits = useFilterEdits(view);
  const locked = lockReason(props);
  const columns = (table.columns ?? []).filter((column) => column.virtual !== true);
  return (
    <ToolbarButton
      icon="filter"
      label={edits.isPending ? t('Filter (not applied)') : t('Filter')}
      count={filters.filter((filter) => isEffective(filter, operators)).length}
    >
      {() => (
        <div className="views-list">
          {locked && <p className="views-note">{t(locked)}</p>}
          <FilterLevel
            view={view}
            filters={filters}
            edits={edits}
            columns={columns}
            isLocked={locked !== undefined}
          />
          {locked === undefined && (
            <footer className="views-foot">
              <label className="views-auto">
                <input
                  type="checkbox"
                  role="switch"
                  className="views-switch"
                  checked={edits.autoApply}
                  onChange={(event) => void edits.setAutoApply(event.target.checked)}
                />
                {t('Apply while editing')}
              </label>
              {!edits.autoApply && (
                <>
                  <button
                    type="button"
                    className="views-add"
                    disabled={!edits.isPending}
                    onClick={edits.discard}
                  >
                    {t('Discard')}
                  </button>
                  <button
                    type="button"
                    className="tr-button tr-button--primary"
                    disabled={!edits.isPending}
                    onClick={() => void edits.apply()}
                  >
                    {t('Apply')}
                  </button>
                </>
              )}
            </footer>
          )}
        </div>
      )}
    </ToolbarButton>
  );
}
