import type { ProjectEntity } from '@trellis/sdk/shared';
import { useMenuActions, useRegistry, useT } from '@trellis/sdk/web';
import type { GridMenuRequest } from '@trellis/sdk/web/grid';
import { ActionMenu } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import { columnMenu, type ColumnMenuOf } from './column-menu.ts';

interface ColumnMenuProps extends Omit<ColumnMenuOf, 'anchor' | 'column' | 't' | 'types'> {
  readonly project: ProjectEntity;
  readonly menu: GridMenuRequest & { readonly kind: 'column' };
  readonly onClose: () => void;
}

/** A column title's menu: the grid's entries, then those of plugins. */
export function ColumnMenu({ menu, onClose, ...of }: ColumnMenuProps): ReactNode {
  const t = useT();
  const types = useRegistry('columnTypes');
  const column = of.columns.find((each) => each.entity.id === menu.columnId);
  const { project, table, view } = of;
  const added = useMenuActions('column', { project, table, view, column: column?.entity });
  if (column === undefined) return null;
  const anchor =
    document.querySelector<HTMLElement>(`[data-column-menu="${CSS.escape(menu.columnId)}"]`) ?? undefined;
  const actions = [...columnMenu({ ...of, column, anchor, t, types }), ...added];
  return <ActionMenu label={column.entity.title} x={menu.x} y={menu.y} actions={actions} onClose={onClose} />;
}
