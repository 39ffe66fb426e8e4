import type { StepPreparation } from '../rows/index.ts';
import type { CopiedBlock } from './grid-clipboard.ts';
import type { GridState } from './grid-state.ts';
import type { CellRange } from './grid-selection.ts';

/** A block with the columns that were added for it. */
interface WidenedBlock {
  readonly block: CopiedBlock;
  /** How they go and come back; undefined where none were added. */
  readonly made: StepPreparation | undefined;
}

/**
 * Lets the page add columns for what of a block lies beyond the last one, where it can; `covered` is what the block covers. Resolves to
 * undefined where the person wants nothing pasted.
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
