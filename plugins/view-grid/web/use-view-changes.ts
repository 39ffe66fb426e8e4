import type { SortKey } from '@trellis/sdk/shared';
import { hasPermission, useHost, useViewSorts, type ViewProps } from '@trellis/sdk/web';
import {
  type ShownColumn,
  useOwnLook,
  useOwnSorts,
  useSaveViewOptions,
  useViewOptions,
} from '@trellis/sdk/web/views';
import { numbersOfMove } from '@trellis/sdk/web/ui';
import { useMemo, useState } from 'react';
import { useGridOptions } from './grid-options.ts';
import { moveBefore, reordered } from './view-columns.ts';

const meta = '/api/v1/db/meta';

/** The changes of a view from its column titles: order, width, visibility and sort of columns. */
export interface ViewChanges {
  /** The columns in the order that the person just made. */
  readonly shown: readonly ShownColumn[];
  /** The sorts that apply for this person; undefined until known. */
  readonly sorts: readonly SortKey[] | undefined;
  /** Whether this person may sort, at least for themselves. */
  readonly maySort: boolean;
  readonly mayGroup: boolean;
  /** Whether this person may choose the view's columns, their order and their widths. */
  readonly mayPlace: boolean;
  /** Frozen columns are an option of the view. */
  readonly mayFreeze: boolean;
  resize(columnId: string, width: number): Promise<void>;
  reorder(columnId: string, beforeId: string | undefined): Promise<void>;
  hide(columnId: string): Promise<void>;
  sort(columnId: string, direction: 'asc' | 'desc'): Promise<void>;
  unsort(columnId: string): Promise<void>;
  /** The columns by which rows are grouped, in order. */
  readonly groups: readonly SortKey[];
  /** Adds the column as the innermost grouping. */
  group(columnId: string): Promise<void>;
  ungroup(columnId: string): Promise<void>;
  /** Freezes this many columns. */
  freeze(count: number): Promise<void>;
  /** Renames the table's column. This is the only change that affects all views. */
  rename(columnId: string, title: string): Promise<void>;
}

export function useViewChanges(props: ViewProps, inView: readonly ShownColumn[]): ViewChanges {
  const { view, project, readOnly } = props;
  const { api, invalidate } = useHost();
  const options = useViewOptions(view);
  const saveOptions = useSaveViewOptions(view);
  const { groups, own: ownGroups, save: saveGroups } = useGridOptions(props);
  const tag = `view:${view.id}`;
  const path = `${meta}/views/${encodeURIComponent(view.id)}`;
  const sortList = useViewSorts(view);
  const own = useOwnLook('sorts', props);
  const ownSorts = useOwnSorts(props);
  const sorts = useMemo(
    () =>
      ownSorts.length > 0
        ? ownSorts
        : sortList?.map(({ fk_column_id: columnId, direction }): SortKey => ({ columnId, direction })),
    [ownSorts, sortList],
  );
  const [dragged, setDragged] = useState<{
    readonly of: readonly ShownColumn[];
    readonly order: readonly string[];
  }>();
  // A new answer of the server takes precedence.
  const shown = reordered(inView, dragged?.of === inView ? dragged.order : undefined);

  const patch = async (columnId: string, body: Readonly<Record<string, unknown>>): Promise<void> => {
    const viewColumn = shown.find((each) => each.column.id === columnId)?.viewColumn;
    if (viewColumn === undefined) {
      await api.request({
        method: 'POST',
        path: `${path}/columns`,
        body: { fk_column_id: columnId, ...body },
      });
    } else {
      await api.request({
        method: 'PATCH',
        path: `${meta}/grid-columns/${encodeURIComponent(viewColumn.id)}`,
        body,
      });
    }
  };

  /** Whether this person's settings are stored in the view. */
  const keeps = (permission: string): boolean =>
    !readOnly && view.lock_type !== 'locked' && hasPermission(permission, project);

  return {
    shown,
    sorts,
    maySort: keeps('sortCreate') || own !== undefined,
    mayGroup: keeps('viewArrange') || ownGroups !== undefined,
    mayPlace: keeps('viewColumnUpdate'),
    mayFreeze: keeps('viewArrange'),
    groups,
    group: (columnId) => saveGroups([...groups, { columnId, direction: 'asc' }]),
    ungroup: (columnId) => saveGroups(groups.filter((of) => of.columnId !== columnId)),
    // The columns are not read again: the grid keeps the width, and other browsers are notified.
    resize: (columnId, width) => patch(columnId, { width: `${width}px` }),
    hide: async (columnId) => {
      await patch(columnId, { show: false });
      invalidate([tag]);
    },
    reorder: async (columnId, beforeId) => {
      const ids = shown.map((each) => each.column.id);
      const order = moveBefore(ids, columnId, beforeId);
      setDragged({ of: inView, order });
      const orders = shown.map((each) => each.viewColumn?.order);
      try {
        for (const [row, number] of numbersOfMove(orders, ids.indexOf(columnId), order.indexOf(columnId)))
          await patch(ids[row] ?? '', { order: number });
      } catch (error) {
        setDragged(undefined);
        throw error;
      } finally {
        // Some columns may have been moved.
        invalidate([tag]);
      }
    },
    unsort: async (columnId) => {
      if (own !== undefined) return own.change({ sorts: withoutColumn(ownSorts, columnId) });
      const same = sortList?.find((sort) => sort.fk_column_id === columnId);
      if (same === undefined) return;
      await api.request({ method: 'DELETE', path: `${meta}/sorts/${encodeURIComponent(same.id)}` });
      invalidate([tag]);
    },
    freeze: (count) => saveOptions({ ...options, frozenColumns: count }, options),
    rename: async (columnId, title) => {
      const column = `${meta}/columns/${encodeURIComponent(columnId)}`;
      await api.request({ method: 'PATCH', path: column, body: { title } });
      invalidate([tag, `table:${view.fk_model_id}`]);
    },
    sort: async (columnId, direction) => {
      if (own !== undefined)
        return own.change({ sorts: [...withoutColumn(ownSorts, columnId), { columnId, direction }] });
      const same = sortList?.find((sort) => sort.fk_column_id === columnId);
      if (same === undefined) {
        await api.request({
          method: 'POST',
          path: `${path}/sorts`,
          body: { fk_column_id: columnId, direction },
        });
      } else {
        await api.request({
          method: 'PATCH',
          path: `${meta}/sorts/${encodeURIComponent(same.id)}`,
          body: { direction },
        });
      }
      invalidate([tag]);
    },
  };
}

function withoutColumn(sorts: readonly SortKey[], columnId: string): readonly SortKey[] {
  return sorts.filter((sort) => sort.columnId !== columnId);
}
