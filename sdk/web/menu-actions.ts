import { isOffered, runContribution } from './contribution.tsx';
import type { MenuAction } from './ui/ActionMenu.tsx';
import { useHost, useRegistry, useShell, type WebHost } from './host.tsx';
import type { CellAction, MenuContext, MenuItem, RowContext } from './registries.ts';

/** What a menu is opened on, where that is not what is open. @public */
export type MenuSubject = Partial<Pick<MenuContext, 'project' | 'table' | 'view' | 'column' | 'object'>>;

/** The entries that plugins add to one of the page's menus, the first one below a line. @public */
export function useMenuActions(menu: MenuItem['menu'], subject: MenuSubject = {}): readonly MenuAction[] {
  const host = useHost();
  const items = useRegistry('menuItems');
  const { context } = useShell();
  const about: MenuContext = { ...context, column: undefined, object: undefined, ...subject };
  return items
    .filter((item) => item.menu === menu && isOffered(host, 'menuItems', item, about))
    .map((item, index) => ({
      id: item.id,
      label: host.t(item.label),
      icon: item.icon ?? 'circle',
      danger: item.danger,
      startsGroup: index === 0,
      run: () => void runContribution(host, 'menuItems', item, about),
    }));
}

/** The entries that plugins add to a row's menu, the first one below a line. Not a hook: rows come and go while a menu opens. @public */
export function rowActions(
  host: WebHost,
  items: readonly CellAction[],
  context: RowContext,
): readonly MenuAction[] {
  return items
    .filter((item) => isOffered(host, 'cellActions', item, context))
    .map((item, index) => ({
      id: item.id,
      label: host.t(item.label),
      icon: item.icon ?? 'circle',
      danger: item.danger,
      startsGroup: index === 0,
      run: () => void runContribution(host, 'cellActions', item, context),
    }));
}
