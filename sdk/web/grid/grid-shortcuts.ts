import type { Command } from '../extensions/index.ts';
import type { GridCommand } from './grid-keyboard.ts';

/** An action of the grid by a key, besides moving. @public */
export interface GridShortcut extends Required<Pick<Command, 'label' | 'keys'>> {
  /** Passed to `GridHandle.perform`. */
  readonly command: GridCommand;
}

/** The keys of the grid with their names, for lists of keys and the command palette. @public */
export const gridShortcuts: readonly GridShortcut[] = [
  { label: 'Edit the cell', keys: ['enter', 'f2'], command: { kind: 'edit' } },
  { label: 'Add a row', keys: 'shift+enter', command: { kind: 'newRow' } },
  { label: 'Insert a row below', keys: 'alt+enter', command: { kind: 'rowBelow' } },
  { label: 'Insert a row above', keys: 'alt+shift+enter', command: { kind: 'rowAbove' } },
  { label: 'Move rows up', keys: 'alt+shift+arrowup', command: { kind: 'moveRowsUp' } },
  { label: 'Move rows down', keys: 'alt+shift+arrowdown', command: { kind: 'moveRowsDown' } },
  { label: 'Open the row', keys: 'space', command: { kind: 'act' } },
  { label: 'Tick the row', keys: 'shift+space', command: { kind: 'tick' } },
  { label: 'Select all cells', keys: 'mod+a', command: { kind: 'selectAll' } },
  { label: 'Empty the selected cells', keys: ['delete', 'backspace'], command: { kind: 'clear' } },
  { label: 'Fill down', keys: 'mod+d', command: { kind: 'fillDown' } },
  { label: 'Fill to the end', keys: 'mod+r', command: { kind: 'fillToEnd' } },
  { label: 'Open the menu of the column', keys: 'alt+arrowdown', command: { kind: 'columnMenu' } },
  { label: 'Collapse the group of the row', keys: 'alt+arrowup', command: { kind: 'foldGroup' } },
  { label: 'Leave the grid: then Tab or Shift+Tab', keys: 'escape', command: { kind: 'escape' } },
  {
    label: 'Go to the first cell',
    keys: 'mod+home',
    command: { kind: 'corner', corner: 'first', extend: false },
  },
  {
    label: 'Go to the last cell',
    keys: 'mod+end',
    command: { kind: 'corner', corner: 'last', extend: false },
  },
];
