import type { SortEntity, SortKey } from '@trellis/sdk/shared';
import { useRegistry, useServerData, useT, type ViewProps } from '@trellis/sdk/web';
import { PopoverButton, SaveProblem } from '@trellis/sdk/web/ui';
import { keepsRowOrder } from '@trellis/sdk/web/rows';
import {
  isSortable,
  OwnPart,
  SortEditor,
  useDraft,
  useLockReason,
  useOwnLook,
  useOwnSorts,
} from '@trellis/sdk/web/views';
import { useMemo } from 'react';
import { viewPath } from './use-view-calls.ts';

interface SortAnswer {
  readonly sorts: { readonly list: readonly SortEntity[] };
}

/** Chooses the columns by which the view's rows are sorted. */
export function SortButton(props: ViewProps) {
  // The key resets the state, so that a sort that one view refused is not offered to another.
  return <SortOfView key={props.view.id} {...props} />;
}

function SortOfView(props: ViewProps) {
  const t = useT();
  const { table, view } = props;
  const tags = [`view:${view.id}`];
  const path = viewPath(view, '/sorts');
  const { data } = useServerData<SortAnswer>({ path }, { tags });
  const saved = useMemo(() => (data?.sorts.list ?? []).map(toSortKey), [data]);
  const draft = useDraft<readonly SortKey[], SortAnswer>({
    saved,
    isSame: (left, right) => JSON.stringify(left) === JSON.stringify(right),
    request: (value, replaces) => ({
      method: 'PUT',
      path,
      body: { list: value.map(toSortBody), replaces: replaces.map(toSortBody) },
    }),
    read: (answer) => answer.sorts.list.map(toSortKey),
    theirs: ({ code, params }) =>
      code === 'SORTS_CHANGED' ? (params.list as readonly SortEntity[]).map(toSortKey) : undefined,
    merge: (value) => value,
    tags,
  });
  const locked = useLockReason(props, 'sortUpdate');
  const own = useOwnLook('sorts', props);
  const ownSorts = useOwnSorts(props);
  const types = useRegistry('columnTypes');
  const sortable = (table.columns ?? []).filter((column) => isSortable(column, table, types));
  const isOwn = ownSorts.length > 0;
  return (
    <PopoverButton
      icon="sort-alt"
      label={draft.problem === undefined ? t('Sort') : t('Sort (not applied)')}
      count={isOwn ? ownSorts.length : saved.length}
    >
      {() => (
        <div className="views-list">
          {own === undefined && locked !== undefined && <p className="tr-note">{locked}</p>}
          {own !== undefined && (
            <OwnPart view={view} isSet={isOwn} onReset={() => own.change({ sorts: [] })}>
              <SortEditor
                columns={sortable}
                value={ownSorts}
                emptyText={t('The rows are in the order of the view.')}
                onChange={(sorts) => own.change({ sorts })}
              />
            </OwnPart>
          )}
          {!isOwn && (own === undefined || saved.length > 0) && (
            <SortEditor
              columns={sortable}
              value={draft.shown}
              readOnly={locked !== undefined}
              emptyText={
                keepsRowOrder(props.project, table)
                  ? t('Rows stand as they were made, and where people put them.')
                  : t('Rows come as the database gives them.')
              }
              onChange={(value) => {
                draft.change(value);
                void draft.save(value);
              }}
            />
          )}
          <SaveProblem draft={draft} />
        </div>
      )}
    </PopoverButton>
  );
}

function toSortBody({ columnId, direction }: SortKey): object {
  return { fk_column_id: columnId, direction };
}

function toSortKey({ fk_column_id: columnId, direction }: SortEntity): SortKey {
  return { columnId, direction };
}
