import type { RowKey } from '@trellis/sdk/shared';
import type { Translate } from '@trellis/sdk/web';
import type { GridMenuRequest, GridSelectionReport } from '@trellis/sdk/web/grid';
import type { MenuAction } from '@trellis/sdk/web/ui';
import type { RowSource } from '@trellis/sdk/web/rows';
import type { RowCommands } from './use-row-commands.ts';

interface RowMenuOf {
  readonly rowKey: RowKey;
  /** The rows that a change applies to. */
  readonly meant: readonly RowKey[];
  readonly commands: RowCommands;
  readonly readOnly: boolean;
  readonly t: Translate;
}

/** The actions for a row, or for all rows selected with it. */
export function rowMenu({ rowKey, meant, commands, readOnly, t }: RowMenuOf): readonly MenuAction[] {
  const { open, insert } = commands;
  const actions: MenuAction[] = [];
  if (open !== undefined)
    actions.push({ id: 'open', label: t('Open row'), icon: 'window-maximize', run: () => open(rowKey) });
  if (readOnly) return actions;
  if (commands.rights.addMany)
    actions.push({
      id: 'duplicate',
      label: t('Duplicate {{count}} rows', { count: meant.length, one: 'Duplicate row' }),
      icon: 'copy',
      run: () => commands.duplicate(meant),
    });
  if (!commands.rights.add) return actions;
  return [
    ...actions,
    ...(insert === undefined
      ? []
      : [
          {
            id: 'insert-above',
            label: t('Insert a row above'),
            icon: 'arrow-up',
            run: () => void insert(rowKey, 'before'),
          },
          {
            id: 'insert-below',
            label: t('Insert a row below'),
            icon: 'arrow-down',
            run: () => void insert(rowKey, 'after'),
          },
        ]),
    { id: 'append', label: t('Add a row at the end'), icon: 'plus', run: () => void commands.append() },
  ];
}

/** The last entry of the menu, separate from the rest. */
export function rowDeletion({ meant, commands, t }: Omit<RowMenuOf, 'rowKey' | 'readOnly'>): MenuAction {
  return {
    id: 'delete',
    label: t('Delete {{count}} rows', { count: meant.length, one: 'Delete row' }),
    icon: 'trash',
    danger: true,
    startsGroup: true,
    run: () => commands.delete(meant),
  };
}

/**
 * The keys of the rows that a menu applies to at its opening: the ticked rows, the selected rows, or its own row. Empty for a
 * column's menu.
 */
export function rowsMeantBy(
  on: GridMenuRequest,
  { rowKeys, range }: GridSelectionReport,
  source: RowSource,
): readonly RowKey[] {
  if (on.kind === 'column') return [];
  const { rowKey, index } = on;
  if (rowKeys.includes(rowKey)) return rowKeys;
  if (range === undefined || index < range.top || index > range.bottom) return [rowKey];
  const keys: RowKey[] = [];
  for (let at = range.top; at <= range.bottom; at++) {
    const key = source.rowAt(at)?.key;
    if (key === undefined) return [rowKey];
    keys.push(key);
  }
  return keys;
}
