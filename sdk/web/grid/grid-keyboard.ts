import type { GridMove } from './grid-types.ts';
import type { Direction, Reach } from './grid-selection.ts';

/**
 * The mode of the keyboard: moving between cells; typing a value over a cell (arrows still leave it, as in a spreadsheet); or an
 * explicitly opened editor, where arrows move the caret.
 */
export type KeyboardMode = 'navigate' | 'typing' | 'editing';

/** The commands of the grid. @public */
export type GridCommand =
  | { readonly kind: 'move'; readonly direction: Direction; readonly reach: Reach; readonly extend: boolean }
  | { readonly kind: 'step'; readonly by: 1 | -1 }
  | { readonly kind: 'corner'; readonly corner: 'first' | 'last'; readonly extend: boolean }
  | {
      readonly kind:
        | 'selectAll'
        | 'clear'
        | 'undo'
        | 'redo'
        | 'act'
        | 'tick'
        | 'edit'
        | 'escape'
        | 'cancel'
        | 'columnMenu'
        | 'foldGroup'
        | 'fillDown'
        | 'fillToEnd'
        | 'newLine'
        | 'newRow'
        | 'rowAbove'
        | 'rowBelow'
        | 'moveRowsUp'
        | 'moveRowsDown';
    }
  | { readonly kind: 'commit'; readonly move: GridMove }
  | { readonly kind: 'commitAndMove'; readonly direction: Direction };

/** The relevant parts of a keyboard event. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  /** True while an input method composes text: every key belongs to it. */
  readonly isComposing: boolean;
  /** 229 if a browser reports a key of an input method after the composition has ended. */
  readonly keyCode?: number;
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

const altCommands: Readonly<Record<string, GridCommand>> = {
  ArrowDown: { kind: 'columnMenu' },
  ArrowUp: { kind: 'foldGroup' },
  Enter: { kind: 'rowBelow' },
};

const altShiftCommands: Readonly<Record<string, GridCommand>> = {
  ArrowDown: { kind: 'moveRowsDown' },
  ArrowUp: { kind: 'moveRowsUp' },
  Enter: { kind: 'rowAbove' },
};

const onceAPress: ReadonlySet<GridCommand['kind']> = new Set([
  'edit',
  'newRow',
  'rowAbove',
  'rowBelow',
  'act',
  'tick',
  // The server is called for each move, and the rows are redrawn after its answer.
  'moveRowsUp',
  'moveRowsDown',
]);

/** Whether a command runs only once per press, not while the key is held: opening, pressing, adding and moving. */
export function isOnceAPress({ kind }: GridCommand): boolean {
  return onceAPress.has(kind);
}

/** The command of a key press; undefined if the key belongs to the text area or the browser. */
export function commandOf(press: KeyPress, mode: KeyboardMode): GridCommand | undefined {
  if (press.isComposing || press.keyCode === 229) return undefined;
  return mode === 'navigate' ? navigationCommand(press) : editingCommand(press, mode);
}

function navigationCommand(press: KeyPress): GridCommand | undefined {
  const { key, shiftKey: extend, altKey } = press;
  const control = press.ctrlKey || press.metaKey;
  const direction = arrows[key];
  if (altKey) return (extend ? altShiftCommands : altCommands)[key];
  if (direction !== undefined) return { kind: 'move', direction, reach: control ? 'edge' : 'cell', extend };
  switch (key) {
    case 'Tab':
      return control ? undefined : { kind: 'step', by: extend ? -1 : 1 };
    case 'Enter':
      return { kind: extend ? 'newRow' : 'edit' };
    case 'F2':
      return { kind: 'edit' };
    case 'Escape':
      return { kind: 'escape' };
    case 'Home':
      return control
        ? { kind: 'corner', corner: 'first', extend }
        : { kind: 'move', direction: 'left', reach: 'edge', extend };
    case 'End':
      return control
        ? { kind: 'corner', corner: 'last', extend }
        : { kind: 'move', direction: 'right', reach: 'edge', extend };
    case 'PageUp':
      return { kind: 'move', direction: 'up', reach: 'page', extend };
    case 'PageDown':
      return { kind: 'move', direction: 'down', reach: 'page', extend };
    case 'Delete':
    case 'Backspace':
      return { kind: 'clear' };
    case ' ':
      return control ? undefined : { kind: extend ? 'tick' : 'act' };
  }
  if (!control) return undefined;
  switch (key.toLowerCase()) {
    case 'a':
      return { kind: 'selectAll' };
    case 'z':
      return { kind: extend ? 'redo' : 'undo' };
    case 'y':
      return { kind: 'redo' };
    case 'd':
      return { kind: 'fillDown' };
    case 'r':
      return extend ? undefined : { kind: 'fillToEnd' };
  }
  return undefined;
}

function editingCommand(press: KeyPress, mode: 'typing' | 'editing'): GridCommand | undefined {
  switch (press.key) {
    case 'Enter':
      if (press.altKey) return { kind: 'newLine' };
      if (press.ctrlKey || press.metaKey) return { kind: 'commit', move: 'stay' };
      return { kind: 'commit', move: press.shiftKey ? 'up' : 'down' };
    case 'Tab':
      return { kind: 'commit', move: press.shiftKey ? 'left' : 'right' };
    case 'Escape':
      return { kind: 'cancel' };
    case 'F2':
      return mode === 'typing' ? { kind: 'edit' } : undefined;
  }
  const direction = arrows[press.key];
  if (
    mode === 'typing' &&
    direction !== undefined &&
    !press.shiftKey &&
    !press.ctrlKey &&
    !press.metaKey &&
    !press.altKey
  ) {
    return { kind: 'commitAndMove', direction };
  }
  return undefined;
}
