import type { ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import type { Translate } from '@trellis/sdk/web';
import type { MenuAction } from '@trellis/sdk/web/ui';
import type { GroupActions } from './use-group-actions.ts';
import type { NewView, ViewActions } from './use-view-actions.ts';
import type { ViewLine } from './view-sections.ts';

/** What the menus of the side bar's list need. */
export interface MenuOptions {
  readonly t: Translate;
  readonly actions: ViewActions;
  readonly groupActions: GroupActions;
  readonly lines: readonly ViewLine[];
  /** Whether no view is hidden by a search. */
  readonly isWhole: boolean;
  /** Moves from one line to another. */
  move(from: number, to: number): void;
  rename(id: string): void;
  ask(about: 'group' | 'icon', view: ViewEntity): void;
  make(wanted: NewView): void;
}

type Offered = readonly (MenuAction & { readonly when: boolean })[];

const offeredOf = (offered: Offered): readonly MenuAction[] => offered.filter(({ when }) => when);

export function viewMenu(view: ViewEntity, options: MenuOptions): readonly MenuAction[] {
  const { t, actions, lines, isWhole } = options;
  const { mayUpdate, mayDescribe, mayDelete, mayCreate, makesPersonal, freeTitle } = actions;
  const at = lines.findIndex((line) => line.view === view);
  // Only its group's heading can precede the first view.
  const first = lines.findIndex((line) => line.view !== undefined);
  const isFirst = at === first && (at === 0 || at === 1);
  return offeredOf([
    {
      id: 'rename',
      when: mayDescribe(view),
      label: t('Rename'),
      icon: 'pencil',
      run: () => options.rename(view.id),
    },
    {
      id: 'icon',
      when: mayDescribe(view),
      label: t('Change the icon'),
      icon: 'palette',
      run: () => options.ask('icon', view),
    },
    {
      id: 'group',
      when: mayUpdate,
      label: t('Put into a group'),
      icon: 'folder',
      run: () => options.ask('group', view),
    },
    {
      id: 'copy',
      when: mayCreate(view.view_type),
      label: makesPersonal(view.view_type) ? t('Make a personal copy') : t('Duplicate'),
      icon: 'copy',
      run: () => {
        const title = freeTitle(t('{{title}} copy', { title: view.title }));
        options.make({ type: view.view_type, title, copyFrom: view });
      },
    },
    {
      id: 'up',
      when: mayUpdate && isWhole && !isFirst,
      label: t('Move up'),
      icon: 'arrow-up',
      run: () => options.move(at, at - 1),
    },
    {
      id: 'down',
      when: mayUpdate && isWhole && at < lines.length - 1,
      label: t('Move down'),
      icon: 'arrow-down',
      run: () => options.move(at, at + 1),
    },
    {
      id: 'default',
      when: mayUpdate && !view.is_default && view.lock_type !== 'personal',
      label: t('Make default'),
      icon: 'home',
      run: () =>
        void actions.patch(
          view,
          { make_default: true },
          t('The table opens with {{title}} now', { title: view.title }),
        ),
    },
    {
      id: 'delete',
      when: mayDelete(view),
      label: t('Delete'),
      icon: 'trash',
      danger: true,
      startsGroup: true,
      run: () => void actions.remove(view),
    },
  ]);
}

export function groupMenu(
  group: ViewGroup,
  groups: readonly ViewGroup[],
  { t, actions: { mayUpdate }, groupActions, rename }: MenuOptions,
): readonly MenuAction[] {
  const at = groups.indexOf(group);
  return offeredOf([
    { id: 'rename', when: mayUpdate, label: t('Rename'), icon: 'pencil', run: () => rename(group.id) },
    {
      id: 'up',
      when: mayUpdate && at > 0,
      label: t('Move up'),
      icon: 'arrow-up',
      run: () => void groupActions.move(at, at - 1),
    },
    {
      id: 'down',
      when: mayUpdate && at < groups.length - 1,
      label: t('Move down'),
      icon: 'arrow-down',
      run: () => void groupActions.move(at, at + 1),
    },
    {
      id: 'remove',
      when: mayUpdate,
      label: t('Remove the group'),
      icon: 'folder-open',
      startsGroup: true,
      run: () => void groupActions.remove(group),
    },
  ]);
}
