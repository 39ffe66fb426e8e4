import { useHost } from '@trellis/sdk/web';
import { moved, type MenuAction } from '@trellis/sdk/web/ui';
import type { StackPlace } from '../shared/index.ts';
import type { Stack } from './stack-list.ts';

interface MenusOf {
  readonly stacks: readonly Stack[];
  /** The drawn stacks. */
  readonly visible: readonly Stack[];
  /** The stacks that contain the name of a row that is not added yet. */
  readonly unsaved: Pick<ReadonlySet<string>, 'has'>;
  arrange(this: void, places: readonly StackPlace[]): Promise<void>;
}

/** Arranges the stacks: by each stack's menu, by dragging, and by showing all hidden ones. */
export function useStackMenu({ stacks, visible, unsaved, arrange }: MenusOf) {
  const { t, toast } = useHost();
  const patch = (id: string, change: Partial<StackPlace>) =>
    void arrange(stacks.map((stack) => (stack.id === id ? { ...stack, ...change } : stack)));

  /** Moves a stack to the place of another one. */
  const move = (id: string, onto: string): void => {
    const ids = stacks.map((stack) => stack.id);
    const [from, to] = [ids.indexOf(id), ids.indexOf(onto)];
    if (from >= 0 && to >= 0 && from !== to) void arrange(moved(stacks, from, to));
  };

  /** A stack can be hidden only when no name is typed in it. */
  const putAway = (id: string, change: Partial<StackPlace>): void => {
    if (!unsaved.has(id)) return patch(id, change);
    toast({ severity: 'info', summary: t('Add the new row of this stack first, or empty its field.') });
  };

  return {
    move,
    expand: (id: string) => patch(id, { collapsed: false }),
    actionsOf({ id }: Stack): readonly MenuAction[] {
      const at = visible.findIndex((stack) => stack.id === id);
      const [before, after] = [visible[at - 1], visible[at + 1]];
      return [
        { id: 'collapse', label: t('Collapse'), icon: 'minus', run: () => putAway(id, { collapsed: true }) },
        { id: 'hide', label: t('Hide'), icon: 'eye-slash', run: () => putAway(id, { hidden: true }) },
        ...(before
          ? [{ id: 'back', label: t('Move back'), icon: 'arrow-left', run: () => move(id, before.id) }]
          : []),
        ...(after
          ? [{ id: 'on', label: t('Move on'), icon: 'arrow-right', run: () => move(id, after.id) }]
          : []),
      ];
    },
    hidden: stacks.filter(({ hidden }) => hidden === true),
    show: (id: string) => patch(id, { hidden: false }),
  };
}
