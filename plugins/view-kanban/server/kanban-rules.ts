import {
  withFirstColumns,
  withShownColumn,
  type ServerColumnType,
  type TableSchema,
  type ViewType,
} from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import { kanbanView } from '../shared/index.ts';

const kanbanErrors = defineErrors({
  KANBAN_NO_COLUMN: {
    status: 400,
    message: 'A kanban view needs a column of single select or of collaborators.',
  },
  KANBAN_COLUMN: {
    status: 400,
    message: 'A kanban view is stacked by single selects or collaborators only.',
  },
  KANBAN_USES_COLUMN: {
    status: 400,
    message: "The column '{column}' is being used in Kanban View. Please delete Kanban View first.",
  },
});

/** Fields on a new card, beside the one that names the row and the one of the stacks. */
const firstFields = 3;

/** A kanban is stacked by a column with options, by default the first one; a new one shows few fields. */
export const checkKanban =
  (types: { get(id: string): ServerColumnType | undefined }): NonNullable<ViewType['willSave']> =>
  (draft, { table, view, copyOf }) => {
    const choices = table.columns.filter(
      ({ type, system }) => types.get(type)?.stacks !== undefined && !system,
    );
    const chosen = draft.options.stackedBy ?? choices[0]?.id;
    if (typeof chosen !== 'string') throw kanbanErrors.create('KANBAN_NO_COLUMN');
    // A column that has another type since keeps the view from being drawn, not from being changed.
    const isKept = view !== undefined && view.meta?.stackedBy === chosen;
    if (!isKept && !choices.some(({ id }) => id === chosen)) throw kanbanErrors.create('KANBAN_COLUMN');
    const isNew = view === undefined && copyOf === undefined;
    const shown = isNew ? withFirstColumns(draft, table, { count: firstFields, always: [chosen] }) : draft;
    const { coverId } = draft.options;
    // A view reads the columns that it shows.
    const drawn = withShownColumn(
      withShownColumn(shown, chosen),
      typeof coverId === 'string' ? coverId : undefined,
    );
    return { ...drawn, options: { ...draft.options, stackedBy: chosen } };
  };

/** @throws TrellisError 400 `KANBAN_USES_COLUMN` while kanban views are stacked by the column. */
export function assertStacksNothing(table: TableSchema, columnId: string): void {
  const isUsed = table.views.some(({ type, meta }) => type === kanbanView.id && meta?.stackedBy === columnId);
  if (!isUsed) return;
  const column = table.columnById.get(columnId)?.title ?? '';
  throw kanbanErrors.create('KANBAN_USES_COLUMN', { column });
}
