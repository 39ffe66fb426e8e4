import type { TableEntity, ViewEntity } from '@trellis/sdk/shared';
import {
  holdsSeveral,
  type TableDialogs,
  type Translate,
  type ViewProps,
  type WebColumnType,
} from '@trellis/sdk/web';
import type { GridColumn, GridHandle } from '@trellis/sdk/web/grid';
import { isRightToLeft, type MenuAction } from '@trellis/sdk/web/ui';
import { columnsAsked, isSortable, mostGroups } from '@trellis/sdk/web/views';
import type { RefObject } from 'react';
import type { ViewChanges } from './use-view-changes.ts';

export interface ColumnMenuOf {
  readonly table: TableEntity;
  readonly view: ViewEntity;
  /** The columns in the view's order. */
  readonly columns: readonly GridColumn[];
  readonly column: GridColumn;
  readonly changes: ViewChanges;
  /** Whether the person may change the table's structure. */
  readonly designs: boolean;
  /** Undefined if no plugin edits columns. */
  readonly dialogs: Pick<TableDialogs, 'openColumnPanel'> | undefined;
  readonly anchor: HTMLElement | undefined;
  readonly grid: RefObject<GridHandle | null>;
  readonly t: Translate;
  readonly types: readonly WebColumnType[];
  readonly run: (action: Promise<void>) => void;
}

/** Whether column titles have a menu for this person. */
export function hasColumnMenu({ readOnly }: Pick<ViewProps, 'readOnly'>, { maySort }: ViewChanges): boolean {
  return !readOnly || maySort;
}

/** The actions of a column's title. */
export function columnMenu(of: ColumnMenuOf): readonly MenuAction[] {
  const groups = [
    of.designs ? editActions(of) : [],
    [...sortActions(of), ...groupActions(of)],
    placeActions(of),
  ];
  return groups.flatMap((actions, at) =>
    actions.map((action, index) => ({ ...action, startsGroup: at > 0 && index === 0 })),
  );
}

function editActions(of: ColumnMenuOf): readonly MenuAction[] {
  const { table, view, columns, column, dialogs, anchor, grid, t } = of;
  const { entity } = column;
  const rename = {
    id: 'rename',
    label: t('Rename column'),
    icon: 'pencil',
    run: () => grid.current?.renameColumn(entity.id),
  };
  if (dialogs === undefined) return [rename];
  const next = columns[indexOf(of) + 1]?.entity.id;
  const insert = bySide(
    { label: t('Insert column left'), icon: 'arrow-left' },
    { label: t('Insert column right'), icon: 'arrow-right' },
  );
  return [
    rename,
    {
      id: 'edit',
      label: t('Change type and options'),
      icon: 'cog',
      run: () => dialogs.openColumnPanel({ table, column: entity, anchor, view }),
    },
    // The column that names the rows stays first.
    ...(entity.pv
      ? []
      : [
          {
            id: 'insert-before',
            ...insert.before,
            run: () => dialogs.openColumnPanel({ table, anchor, view, beforeColumnId: entity.id }),
          },
        ]),
    {
      id: 'insert-after',
      ...insert.after,
      run: () => dialogs.openColumnPanel({ table, anchor, view, beforeColumnId: next }),
    },
  ];
}

function sortActions(of: ColumnMenuOf): readonly MenuAction[] {
  const { column, changes, table, types, t } = of;
  if (!changes.maySort) return [];
  const orders = [
    change(of, { id: 'asc', label: t('Sort ascending'), icon: 'sort-amount-up-alt' }, (to, id) =>
      to.sort(id, 'asc'),
    ),
    change(of, { id: 'desc', label: t('Sort descending'), icon: 'sort-amount-down' }, (to, id) =>
      to.sort(id, 'desc'),
    ),
  ];
  // An existing sort can be removed.
  const isOffered = isSortable(column.entity, table, types);
  const actions = isOffered ? orders.filter(({ id }) => id !== column.sort) : [];
  if (column.sort === undefined) return actions;
  return [
    ...actions,
    change(of, { id: 'unsort', label: t('Do not sort by it'), icon: 'times' }, (to, id) => to.unsort(id)),
  ];
}

function groupActions(of: ColumnMenuOf): readonly MenuAction[] {
  const { column, changes, types, t } = of;
  if (!changes.mayGroup) return [];
  if (changes.groups.some(({ columnId }) => columnId === column.entity.id))
    return [
      change(of, { id: 'ungroup', label: t('Do not group by it'), icon: 'times' }, (to, id) =>
        to.ungroup(id),
      ),
    ];
  const isOffered = !holdsSeveral(column.entity) && columnsAsked([column.entity], types).length > 0;
  if (changes.groups.length >= mostGroups || !isOffered) return [];
  return [
    change(of, { id: 'group', label: t('Group by this column'), icon: 'list' }, (to, id) => to.group(id)),
  ];
}

/** The actions for a column's place: freeze, move, hide. */
function placeActions(of: ColumnMenuOf): readonly MenuAction[] {
  const { columns, column, changes: current, t } = of;
  if (!current.mayPlace) return [];
  const at = indexOf(of);
  const frozen = columns.filter((each) => each.frozen).length;
  const actions: MenuAction[] = [];
  if (current.mayFreeze) {
    if (at + 1 !== frozen)
      actions.push(
        change(of, { id: 'freeze', label: t('Freeze up to here'), icon: 'lock' }, (to) => to.freeze(at + 1)),
      );
    if (frozen > 0 && column.frozen === true)
      actions.push(
        change(of, { id: 'unfreeze', label: t('Freeze no column'), icon: 'lock-open' }, (to) => to.freeze(0)),
      );
  }
  if (column.entity.pv) return actions;
  const first = columns.findIndex((each) => !each.entity.pv);
  const { before, after } = bySide(
    { label: t('Move left'), icon: 'angle-left' },
    { label: t('Move right'), icon: 'angle-right' },
  );
  const move = (id: string, side: typeof before, beforeId: string | undefined): MenuAction =>
    change(of, { id, ...side }, (to, columnId) => to.reorder(columnId, beforeId));
  if (at > first) actions.push(move('before', before, columns[at - 1]?.entity.id));
  if (at < columns.length - 1) actions.push(move('after', after, columns[at + 2]?.entity.id));
  actions.push(
    change(of, { id: 'hide', label: t('Hide column'), icon: 'eye-slash' }, (to, id) => to.hide(id)),
  );
  return actions;
}

/** Assigns the left and right value to the sides before and after a column: in a right-to-left page, columns run from the right. */
function bySide<T>(left: T, right: T): { readonly before: T; readonly after: T } {
  return isRightToLeft() ? { before: right, after: left } : { before: left, after: right };
}

function indexOf({ columns, column }: ColumnMenuOf): number {
  return columns.findIndex((each) => each.entity.id === column.entity.id);
}

function change(
  { column, changes, run }: ColumnMenuOf,
  shown: Pick<MenuAction, 'id' | 'label' | 'icon'>,
  act: (to: ViewChanges, columnId: string) => Promise<void>,
): MenuAction {
  return { ...shown, run: () => run(act(changes, column.entity.id)) };
}
