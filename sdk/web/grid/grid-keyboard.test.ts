import { describe, expect, test } from '@jest/globals';
import { keysOf } from '../keys.ts';
import { commandOf, type KeyPress } from './grid-keyboard.ts';
import { gridShortcuts } from './grid-shortcuts.ts';

const press = (key: string, rest: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  isComposing: false,
  ...rest,
});

describe('the keys that the grid names', () => {
  const names: Readonly<Record<string, string>> = {
    space: ' ',
    arrowdown: 'ArrowDown',
    arrowup: 'ArrowUp',
  };
  test.each(
    gridShortcuts.flatMap(({ keys, command }) => keysOf({ keys }).map((each) => [each, command] as const)),
  )('%s means %o', (keys, command) => {
    const parts = keys.split('+');
    const key = parts.pop() ?? '';
    const named = names[key] ?? (key.length > 1 ? key.slice(0, 1).toUpperCase() + key.slice(1) : key);
    const held = {
      ctrlKey: parts.includes('mod'),
      shiftKey: parts.includes('shift'),
      altKey: parts.includes('alt'),
    };
    expect(commandOf(press(named, held), 'navigate')).toEqual(command);
  });
});

describe('keys while walking the cells', () => {
  test.each([
    ['ArrowDown', {}, { kind: 'move', direction: 'down', reach: 'cell', extend: false }],
    [
      'ArrowRight',
      { ctrlKey: true, shiftKey: true },
      { kind: 'move', direction: 'right', reach: 'edge', extend: true },
    ],
    ['ArrowUp', { metaKey: true }, { kind: 'move', direction: 'up', reach: 'edge', extend: false }],
    ['Tab', { shiftKey: true }, { kind: 'step', by: -1 }],
    ['Enter', {}, { kind: 'edit' }],
    ['F2', {}, { kind: 'edit' }],
    ['Home', {}, { kind: 'move', direction: 'left', reach: 'edge', extend: false }],
    ['End', { ctrlKey: true }, { kind: 'corner', corner: 'last', extend: false }],
    ['PageDown', { shiftKey: true }, { kind: 'move', direction: 'down', reach: 'page', extend: true }],
    ['Backspace', {}, { kind: 'clear' }],
    ['a', { ctrlKey: true }, { kind: 'selectAll' }],
    ['Z', { ctrlKey: true, shiftKey: true }, { kind: 'redo' }],
    ['y', { ctrlKey: true }, { kind: 'redo' }],
    [' ', {}, { kind: 'act' }],
    [' ', { shiftKey: true }, { kind: 'tick' }],
    ['ArrowDown', { altKey: true }, { kind: 'columnMenu' }],
  ] as const)('%s with %o', (key, rest, command) => {
    expect(commandOf(press(key, rest), 'navigate')).toEqual(command);
  });

  test('letters belong to the text area, copy and paste to the browser', () => {
    expect(commandOf(press('x'), 'navigate')).toBeUndefined();
    expect(commandOf(press('c', { ctrlKey: true }), 'navigate')).toBeUndefined();
  });
});

describe('keys while editing', () => {
  test('arrows leave a value that is being typed, and move the caret in an editor opened on purpose', () => {
    expect(commandOf(press('ArrowRight'), 'typing')).toEqual({ kind: 'commitAndMove', direction: 'right' });
    expect(commandOf(press('ArrowRight'), 'editing')).toBeUndefined();
  });

  test('Enter and Tab commit and move, Alt+Enter starts a line, Escape takes back', () => {
    expect(commandOf(press('Enter'), 'editing')).toEqual({ kind: 'commit', move: 'down' });
    expect(commandOf(press('Tab', { shiftKey: true }), 'typing')).toEqual({
      kind: 'commit',
      move: 'left',
    });
    expect(commandOf(press('Enter', { altKey: true }), 'typing')).toEqual({ kind: 'newLine' });
    expect(commandOf(press('Escape'), 'typing')).toEqual({ kind: 'cancel' });
  });

  test('no key of an input method is taken from it', () => {
    for (const key of ['Enter', 'Escape', 'ArrowDown', ' ', 'Tab']) {
      expect(commandOf(press(key, { isComposing: true }), 'typing')).toBeUndefined();
      expect(commandOf(press(key, { keyCode: 229 }), 'navigate')).toBeUndefined();
    }
  });
});
