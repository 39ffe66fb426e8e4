import type { GridCommand } from './grid-keyboard.ts';
import type { GridModel } from './grid-model.ts';
import { moveRows } from './move-rows.ts';
import { clearRange, fillDown, fillToEnd } from './range-edits.ts';

/** Runs a command; false if there is nothing to run it on, so that the browser handles the key. */
export function performCommand(model: GridModel, command: GridCommand): boolean {
  const { selection, tickedRows } = model.state.getSnapshot();
  switch (command.kind) {
    case 'clear':
      if (tickedRows.size > 0) model.deleteTicked();
      else void clearRange(model);
      return true;
    case 'fillDown':
      void fillDown(model);
      return true;
    case 'fillToEnd':
      // With a single column there is nothing to fill, and the key reloads the page.
      if (selection === undefined || selection.active.column === selection.head.column) return false;
      void fillToEnd(model);
      return true;
    case 'moveRowsUp':
      return moveRows(model, 'up');
    case 'moveRowsDown':
      return moveRows(model, 'down');
    default:
      return model.perform(command);
  }
}
