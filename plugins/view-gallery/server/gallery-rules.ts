import { withFirstColumns, withShownColumn, type ViewType } from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import { coverOf } from './gallery-entity.ts';

const galleryErrors = defineErrors({
  GALLERY_COVER: { status: 400, message: 'The table of this gallery has no such column for its cover.' },
});

/** Fields on a new card, beside the one that names the row. */
const firstFields = 3;

/** A new gallery shows few fields, every gallery shows its cover's column; a column of another table is refused. */
export const checkGallery: NonNullable<ViewType['willSave']> = (draft, { table, view, copyOf }) => {
  const { coverId } = draft.options;
  const isKept = view !== undefined && view.meta?.coverId === coverId;
  if (typeof coverId === 'string' && coverId !== '' && !isKept && !table.columnById.has(coverId))
    throw galleryErrors.create('GALLERY_COVER');
  const isNew = view === undefined && copyOf === undefined;
  const shown = isNew ? withFirstColumns(draft, table, { count: firstFields }) : draft;
  // A view reads the columns that it shows.
  return withShownColumn(shown, coverOf(draft.options, table));
};
