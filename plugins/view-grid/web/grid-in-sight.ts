import type { Command } from '@trellis/sdk/web';
import { gridShortcuts, type GridHandle } from '@trellis/sdk/web/grid';

type FindGrid = () => GridHandle | null;

/** Which grid the commands of the palette are for. */
export class GridInSight {
  #find: FindGrid | undefined;

  get current(): GridHandle | undefined {
    return this.#find?.() ?? undefined;
  }

  /** Tells of a grid that is drawn; returns how to forget it. */
  show(find: FindGrid): () => void {
    this.#find = find;
    return () => {
      if (this.#find === find) this.#find = undefined;
    };
  }
}

/** What the keys of a grid do, for the palette and the list of keys. */
export function gridCommands(inSight: GridInSight): readonly Command[] {
  return gridShortcuts.map(({ label, keys, command }, at) => ({
    id: `grid.${command.kind}${command.kind === 'corner' ? `-${command.corner}` : ''}`,
    label,
    keys,
    keysIn: 'Grid',
    category: 'Grid',
    icon: 'table',
    order: 200 + at,
    when: () => inSight.current !== undefined,
    run() {
      const grid = inSight.current;
      grid?.focus();
      grid?.perform(command);
    },
  }));
}
