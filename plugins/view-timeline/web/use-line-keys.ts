import type { LongList } from '@trellis/sdk/web/cards';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import type { Lines } from './lines.ts';

interface LineKeysOf {
  readonly lines: Lines;
  readonly list: Pick<LongList, 'box' | 'reveal'>;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Moves between lines by the arrow keys, from bar to bar or from name to name, also to lines whose rows are still loading. */
export function useLineKeys({ lines, list }: LineKeysOf) {
  /** The line to focus when it is mounted. */
  const awaited = useRef<{ readonly line: number; readonly part: string }>(undefined);

  function focus(): void {
    if (awaited.current === undefined) return;
    const { activeElement } = document;
    // If the focus is elsewhere, the person has moved it.
    if (activeElement !== document.body && list.box.current?.contains(activeElement) !== true) {
      awaited.current = undefined;
      return;
    }
    const { line, part } = awaited.current;
    const drawn = list.box.current?.querySelector(`[data-line="${line}"]`);
    const target = drawn?.querySelector<HTMLElement>(part) ?? drawn?.querySelector('button');
    if (target === undefined || target === null) return;
    awaited.current = undefined;
    target.focus({ preventScroll: true });
  }
  useEffect(focus);

  return (event: KeyboardEvent<HTMLElement>): void => {
    const step = steps[event.key];
    const pressed = event.target as HTMLElement;
    const from = pressed.closest<HTMLElement>('[data-line]')?.dataset.line;
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (step === undefined || from === undefined || !isPlain) return;
    let line = Number(from) + step;
    // A group's heading cannot be pressed.
    while (line >= 0 && line < lines.count && lines.at(line).kind === 'group') line += step;
    if (line < 0 || line >= lines.count) return;
    event.preventDefault();
    awaited.current = {
      line,
      part: pressed.matches('.timeline-name') ? 'button.timeline-name' : '.timeline-bar-body',
    };
    list.reveal(line);
    focus();
  };
}
