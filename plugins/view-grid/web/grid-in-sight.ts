import type { Command } from '@trellis/sdk/web';
import { gridShortcuts, type GridHandle } from '@trellis/sdk/web/grid';

type FindGrid = () => GridHandle | null;

/** The grid that the palette's commands apply to. */
export class GridInSight {
  #find: FindGrid | undefined;

  get current(): GridHandle | undefined {
    return this.#find?.() ?? undefined;
  }

  /** Sets the drawn grid; returns how to unset it. */
  show(find: FindGrid): () => void {
    this.#find = find;
    return () => {
      if (this.#find === find) this.#find = undefined;
    };
  }
}

/** The actions of a grid's keys, for the palette and the list of keys. */
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
