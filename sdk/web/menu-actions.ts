import { isOffered, runContribution } from './contribution.tsx';
import type { MenuAction } from './ui/ActionMenu.tsx';
import { useHost, useRegistry, useShell, type HostActions, type WebHost } from './host.tsx';
import type { ProjectEntity } from '../shared/index.ts';
import type { CellAction, MenuContext, MenuItem, Offer, RowContext } from './extensions/index.ts';

/** The subject of a menu, if it is not what is open. @public */
export type MenuSubject = Partial<
  Pick<MenuContext, 'project' | 'table' | 'view' | 'column' | 'object' | 'person'>
>;

/** The entries that plugins add to one of the page's menus, after a separator. @public */
export function useMenuActions(menu: MenuItem['menu'], subject: MenuSubject = {}): readonly MenuAction[] {
  const host = useHost();
  const items = useRegistry('menuItems');
  const { context } = useShell();
  const about: MenuContext = {
    ...context,
    column: undefined,
    object: undefined,
    person: undefined,
    ...subject,
  };
  return actionsOf(
    host,
    'menuItems',
    items.filter((item) => item.menu === menu),
    about,
  );
}

/**
 * The entries that plugins add to a row's menu, after a separator. Not a hook, since rows may appear and disappear while a menu
 * opens. @public
 */
export function rowActions(
  host: WebHost,
  items: readonly CellAction[],
  context: RowContext,
): readonly MenuAction[] {
  return actionsOf(host, 'cellActions', items, context);
}

interface ContributedAction<Context> extends Offer<Context> {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  readonly danger?: boolean;
  run(context: Context, actions: HostActions): void | Promise<void>;
}

/** The currently offered items, as entries of a menu. */
function actionsOf<Context extends { readonly project: ProjectEntity | undefined }>(
  host: WebHost,
  registry: 'menuItems' | 'cellActions',
  items: readonly ContributedAction<Context>[],
  context: Context,
): readonly MenuAction[] {
  return items
    .filter((item) => isOffered(host, registry, item, context))
    .map((item, index, all) => ({
      id: item.id,
      label: host.t(item.label),
      icon: item.icon ?? 'circle',
      danger: item.danger,
      startsGroup: index === 0 || (item.danger === true && all[index - 1]?.danger !== true),
      run: () => void runContribution(host, registry, item, context),
    }));
}
