import type { Command, HostActions, ShellContext } from '@trellis/sdk/web';
import { takeBack, type UndoDirection } from '@trellis/sdk/web/rows';

/** Undo and redo for the person's changes of the visible rows. */
export const undoCommands = {
  undo: { ...about('undo'), label: 'Undo', icon: 'undo', keys: 'mod+z', order: 10 },
  redo: { ...about('redo'), label: 'Redo', icon: 'refresh', keys: ['mod+shift+z', 'mod+y'], order: 11 },
} satisfies Record<UndoDirection, Command>;

function about(direction: UndoDirection): Pick<Command, 'id' | 'category' | 'when' | 'run'> {
  return {
    id: `rows.${direction}`,
    category: 'Rows',
    when: ({ rows }: ShellContext) => rows !== undefined,
    run: ({ rows }: ShellContext, actions: HostActions) => rows && takeBack(rows, direction, actions),
  };
}
