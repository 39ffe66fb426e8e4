import { flushSync } from 'react-dom';
import { countWhile } from '../rows/count-while.ts';
import type { GridModel } from './grid-model.ts';
import type { GridProps } from './grid-types.ts';

/** Folds the group of the active row; the focus moves to the group's heading, which unfolds it. */
export function foldGroup(
  model: GridModel,
  box: HTMLElement | null,
  { heads, onToggleGroup }: GridProps,
): boolean {
  const { selection } = model.state.getSnapshot();
  if (heads === undefined || onToggleGroup === undefined || selection === undefined) return false;
  const head = heads[countWhile(heads, ({ before }) => before <= selection.active.row) - 1];
  if (head === undefined) return false;
  flushSync(() => onToggleGroup(head.key));
  const toggles = box?.querySelectorAll<HTMLElement>('[data-group]') ?? [];
  [...toggles].find(({ dataset }) => dataset.group === head.key)?.focus();
  return true;
}
