import type { FailedEdit } from '../rows/index.ts';
import type { GridColumn } from './grid-column.ts';
import type { GridState } from './grid-state.ts';
import { tellLost } from './tell-lost.ts';

/** Reports a refused text whose cell is not shown, where nobody would see its mark. */
export function tellUnseen(state: GridState, refused: readonly FailedEdit[], { entity }: GridColumn): void {
  const { columns, source, table } = state.context;
  for (const { rowKey, columnId, text, message } of refused) {
    // Already reported, and removed because its row was deleted.
    if (state.edits.of(rowKey, columnId)?.kind !== 'failed') continue;
    const isShown = columns.some((each) => each.entity.id === columnId);
    if (isShown && source.indexOf(rowKey) !== undefined) continue;
    tellLost(state, { reason: `${entity.title}: ${message}`, text });
    // Nobody can return to a cell whose column or row was deleted, so nothing of it needs to be undone either.
    const isGone = !isShown && table.columns?.every(({ id }) => id !== columnId) === true;
    if (isGone || source.wasDeleted(rowKey)) state.edits.discard(rowKey, columnId);
  }
}

/** Reports refused texts whose rows were deleted since, and removes them: nobody can return to their cells. */
export function tellDeleted(state: GridState): void {
  const { source, columns, t } = state.context;
  for (const { rowKey, columnId, text } of state.edits.failed) {
    if (!source.wasDeleted(rowKey)) continue;
    state.edits.discard(rowKey, columnId);
    const title = columns.find(({ entity }) => entity.id === columnId)?.entity.title ?? '';
    tellLost(state, { reason: `${title}: ${t('This row was deleted while you typed.')}`, text });
  }
}
