import type { ReactNode } from 'react';
import type { RowKey } from '../../shared/index.ts';
import type { ViewProps } from '../extensions/index.ts';
import { useHost, useRegistry } from '../host.tsx';
import { rowActions } from '../menu-actions.ts';
import { titledRow, type RowData } from '../rows/index.ts';
import { ActionMenu, type MenuAction } from '../ui/index.ts';
import type { CardCommands } from './card-commands.ts';

/** A card with an open menu, and the menu's position in coordinates of the window. @public */
export interface CardMenuRequest {
  readonly row: RowData;
  readonly x: number;
  readonly y: number;
}

/** The props of a card's menu. @public */
export interface CardMenuProps extends ViewProps {
  readonly menu: CardMenuRequest;
  /** The affected rows: only this one, or all selected ones. */
  readonly meant: readonly RowKey[];
  readonly commands: CardCommands;
  /** Actions of the view, such as moving the card. */
  readonly actions?: readonly MenuAction[];
  onClose(this: void): void;
}

/** The menu of a card: the view's actions, those of plugins, and deletion. @public */
export function CardMenu(props: CardMenuProps): ReactNode {
  const { project, table, view, menu, meant, commands, actions: own = [], onClose } = props;
  const host = useHost();
  const { t } = host;
  const items = useRegistry('cellActions');
  const { row, x, y } = menu;
  const { open, duplicate, delete: remove } = commands;
  const columns = table.columns ?? [];
  const context = { project, table, view, rowKey: row.key, row: titledRow(row.values, columns) };
  const actions: MenuAction[] = [];
  if (open)
    actions.push({ id: 'open', label: t('Open row'), icon: 'window-maximize', run: () => open(row.key) });
  if (duplicate && row.readOnly !== true)
    actions.push({
      id: 'duplicate',
      label: t('Duplicate {{count}} rows', { count: meant.length, one: 'Duplicate row' }),
      icon: 'copy',
      run: () => void duplicate(meant),
    });
  actions.push(...own, ...rowActions(host, items, context));
  if (remove && row.readOnly !== true)
    actions.push({
      id: 'delete',
      label: t('Delete {{count}} rows', { count: meant.length, one: 'Delete row' }),
      icon: 'trash',
      danger: true,
      startsGroup: true,
      run: () => void remove(meant),
    });
  if (actions.length === 0) return null;
  return <ActionMenu label={t('Menu of the card')} x={x} y={y} actions={actions} onClose={onClose} />;
}
