import type { TableEntity, ViewEntity } from '@trellis/sdk/shared';
import type { TableDialogs, Translate } from '@trellis/sdk/web';
import type { GridColumn } from '@trellis/sdk/web/grid';
import type { MenuAction } from '@trellis/sdk/web/ui';
import type { ViewChanges } from './use-view-changes.ts';

export interface ColumnMenuOf {
  readonly table: TableEntity;
  readonly view: ViewEntity;
  /** The columns in the order in which the view shows them. */
  readonly columns: readonly GridColumn[];
  readonly column: GridColumn;
  readonly changes: ViewChanges;
  /** Undefined while no plugin edits columns. */
  readonly dialogs: TableDialogs | undefined;
  readonly anchor: HTMLElement | undefined;
  readonly t: Translate;
  readonly run: (action: Promise<void>) => void;
}

/** What can be done with a column from its title. */
export function columnMenu(of: ColumnMenuOf): readonly MenuAction[] {
  const { column, t } = of;
  const edits = editActions(of);
  const arrange = arrangeActions(of, edits.length > 0);
  if (column.entity.pv) return [...edits, ...arrange];
  const hide = change(of, 'hide', t('Hide column'), 'eye-slash', (changes, id) => changes.hide(id));
  return [...edits, ...arrange, ...moveActions(of), { ...hide, startsGroup: true }];
}

function editActions({ table, view, column, dialogs, anchor, t }: ColumnMenuOf): readonly MenuAction[] {
  if (dialogs === undefined) return [];
  return [
    {
      id: 'edit',
      label: t('Edit column'),
      icon: 'pencil',
      run: () => dialogs.openColumnPanel({ table, column: column.entity, anchor, view }),
    },
    {
      id: 'insert',
      label: t('Insert column before'),
      icon: 'plus',
      run: () => dialogs.openColumnPanel({ table, anchor, view, beforeColumnId: column.entity.id }),
    },
  ];
}

function arrangeActions(of: ColumnMenuOf, startsGroup: boolean): readonly MenuAction[] {
  const { t } = of;
  return [
    {
      ...change(of, 'asc', t('Sort ascending'), 'sort-amount-up-alt', (changes, id) =>
        changes.sort(id, 'asc'),
      ),
      startsGroup,
    },
    change(of, 'desc', t('Sort descending'), 'sort-amount-down', (changes, id) => changes.sort(id, 'desc')),
  ];
}

function moveActions(of: ColumnMenuOf): readonly MenuAction[] {
  const { columns, column, t } = of;
  const at = columns.findIndex((each) => each.entity.id === column.entity.id);
  const actions: MenuAction[] = [];
  if (at > 0) {
    const before = columns[at - 1]?.entity.id;
    actions.push(
      change(of, 'left', t('Move left'), 'arrow-left', (changes, id) => changes.reorder(id, before)),
    );
  }
  if (at >= 0 && at < columns.length - 1) {
    const before = columns[at + 2]?.entity.id;
    actions.push(
      change(of, 'right', t('Move right'), 'arrow-right', (changes, id) => changes.reorder(id, before)),
    );
  }
  return actions;
}

function change(
  { column, changes, run }: ColumnMenuOf,
  id: string,
  label: string,
  icon: string,
  act: (changes: ViewChanges, columnId: string) => Promise<void>,
): MenuAction {
  return { id, label, icon, run: () => run(act(changes, column.entity.id)) };
}
