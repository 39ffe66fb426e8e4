import type { FilterEntity, FilterNode } from '@trellis/sdk/shared';
import {
  askBeforeLeaving,
  useRegistry,
  useServerData,
  useT,
  useUserStorage,
  type ViewProps,
  hasPermission,
} from '@trellis/sdk/web';
import { PopoverButton, SaveProblem, Switch } from '@trellis/sdk/web/ui';
import {
  columnsAsked,
  countEffective,
  effectiveRules,
  FilterEditor,
  isSameTree,
  newCondition,
  OwnPart,
  toFilterBody,
  toFilterNode,
  useDraft,
  useLockReason,
  useOwnLook,
  withSavedIds,
} from '@trellis/sdk/web/views';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ComponentType } from 'react';
import type { FilterRequests } from './filter-requests.ts';
import { viewPath } from './use-view-calls.ts';

const autoApplyKey = 'filters.auto-apply';

export function createFilterButton(requests: FilterRequests): ComponentType<ViewProps> {
  return function FilterButton(props) {
    return !hasPermission('filterList', props.project) ? null : (
      <FilterOfView key={props.view.id} {...props} requests={requests} />
    );
  };
}

function FilterOfView({ requests, ...props }: ViewProps & { readonly requests: FilterRequests }) {
  const t = useT();
  const { table, view } = props;
  const tags = [`view:${view.id}`];
  const path = viewPath(view, '/filters');
  const { data } = useServerData<readonly FilterEntity[]>({ path }, { tags });
  const saved = useMemo(() => (data ?? []).map(toFilterNode), [data]);
  const operators = useRegistry('filterOperators');
  // Above the panel: what waits for "Apply" outlives its closing.
  const draft = useDraft<readonly FilterNode[], readonly FilterEntity[]>({
    saved,
    isSame: isSameTree,
    request: (value, replaces) => ({
      method: 'PUT',
      path,
      body: { list: value.map(toFilterBody), replaces: replaces.map(toFilterBody) },
    }),
    read: (answer) => answer.map(toFilterNode),
    theirs: ({ code, params }) =>
      code === 'FILTERS_CHANGED' ? (params.list as readonly FilterEntity[]).map(toFilterNode) : undefined,
    merge: withSavedIds,
    tags,
  });
  const userStorage = useUserStorage();
  const [autoApply, setAuto] = useState(() => userStorage.get<boolean>(autoApplyKey) ?? true);
  const locked = useLockReason(props, 'filterUpdate');
  const own = useOwnLook('filters', props);
  const types = useRegistry('columnTypes');
  const columns = columnsAsked(table.columns ?? [], types);

  const isHeld = !autoApply && draft.isPending;
  const isWaiting = draft.problem !== undefined || isHeld;
  useEffect(() => (isHeld ? askBeforeLeaving() : undefined), [isHeld]);

  function change(value: readonly FilterNode[]) {
    draft.change(value);
    if (autoApply) void draft.save(value);
  }

  function switchAuto(on: boolean) {
    setAuto(on);
    userStorage.set(autoApplyKey, on);
    if (on && draft.isPending) void draft.save(draft.shown);
  }

  const ownCount = countEffective(
    (own?.filters ?? []).filter((node) => effectiveRules([node], { columns, types, operators }).length > 0),
    operators,
  );

  const [opened, setOpened] = useState<object>();

  function addFilterBy(columnId: string) {
    const column = columns.find(({ id }) => id === columnId);
    if (column === undefined || data === undefined) return;
    const added = newCondition(column, types, operators);
    if (own === undefined) change([...draft.shown, added]);
    else own.change({ filters: [...own.filters, added] });
    setOpened({});
  }
  const latest = useRef(addFilterBy);
  useLayoutEffect(() => {
    latest.current = addFilterBy;
  });
  useEffect(() => requests.take(view.id, (columnId) => latest.current(columnId)), [requests, view.id]);

  return (
    <PopoverButton
      opens={opened}
      icon="filter"
      label={isWaiting ? t('Filter (not applied)') : t('Filter')}
      count={countEffective(saved, operators) + ownCount}
    >
      {() => (
        <div className="views-list">
          {own === undefined && locked !== undefined && <p className="tr-note">{locked}</p>}
          {(own === undefined || draft.shown.length > 0) && (
            <FilterEditor
              columns={columns}
              value={draft.shown}
              readOnly={locked !== undefined}
              emptyText={t('Every row is shown.')}
              onChange={change}
            />
          )}
          {own !== undefined && (
            <OwnPart view={view} isSet={own.filters.length > 0} onReset={() => own.change({ filters: [] })}>
              <FilterEditor
                columns={columns}
                value={own.filters}
                emptyText={t('Every row of the view is shown.')}
                onChange={(filters) => own.change({ filters })}
              />
            </OwnPart>
          )}
          <SaveProblem draft={draft} />
          {locked === undefined && (
            <footer className="views-foot">
              <Switch checked={autoApply} onChange={switchAuto}>
                {t('Apply while editing')}
              </Switch>
              <span className="tr-gap" />
              {!autoApply && (
                <>
                  <button
                    type="button"
                    className="tr-action"
                    disabled={!draft.isPending}
                    onClick={draft.discard}
                  >
                    {t('Discard')}
                  </button>
                  <button
                    type="button"
                    className="tr-button tr-button--primary"
                    aria-disabled={!draft.isPending || draft.isSaving}
                    onClick={() => {
                      if (draft.isPending && !draft.isSaving) void draft.save(draft.shown);
                    }}
                  >
                    {t('Apply')}
                  </button>
                </>
              )}
            </footer>
          )}
        </div>
      )}
    </PopoverButton>
  );
}
