import type { StepPreparation } from '../rows/index.ts';
import type { CopiedBlock } from './grid-clipboard.ts';
import type { GridState } from './grid-state.ts';
import type { CellRange } from './grid-selection.ts';

/** A block with the columns that were added for it. */
interface WidenedBlock {
  readonly block: CopiedBlock;
  /** How to undo and redo that; undefined if none were added. */
  readonly made: StepPreparation | undefined;
}

/**
 * Lets the page add columns for the part of a block beyond the last one, if it can; `covered` is the range of the block. Resolves
 * to undefined if the person cancels the paste.
 */
export async function widenForPaste(
  state: GridState,
  block: CopiedBlock,
  covered: CellRange,
): Promise<WidenedBlock | undefined> {
  const { columns, handlers, source } = state.context;
  const kept = { block, made: undefined };
  if (covered.right < columns.length || handlers.onAddColumns === undefined) return kept;
  const added = await handlers.onAddColumns({
    rows: block.texts,
    from: columns.length - covered.left,
    mayBeNamed: source.count === 0,
  });
  if (added === 'cancelled') return undefined;
  if (added === undefined) return kept;
  await state.whenShown(added.columnIds);
  state.focusInput();
  const rest = { texts: block.texts.slice(1), values: block.values?.slice(1) };
  return { block: added.isNamed ? rest : block, made: added.made };
}
