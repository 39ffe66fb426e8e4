import type { LinkInput, TableSchema } from '@trellis/sdk/server';
import type { LinkRow } from '../../metadata/models/link-model.ts';
import { newId } from '../../runtime/ids.ts';

/** One end of a link: columns of a table. */
export interface End {
  readonly table: Pick<TableSchema, 'id' | 'projectId' | 'baseId' | 'title'>;
  readonly columnIds: readonly string[];
}

interface Side {
  readonly kind: LinkRow['kind'];
  readonly through?: NonNullable<LinkRow['through_table']>;
  readonly constraint?: string | undefined;
  readonly onDelete?: LinkInput['onDelete'];
  readonly onUpdate?: LinkInput['onUpdate'];
}

/** The two rows of a link, one for each side. */
export function bothSides(
  there: Side,
  back: Side,
  [from, to]: readonly [End, End],
  now: number,
): [LinkRow, LinkRow] {
  const [id, inverse] = [newId('link'), newId('link')];
  const row = (side: Side, near: End, far: End): Omit<LinkRow, 'id' | 'inverse_id'> => ({
    project_id: near.table.projectId,
    base_id: near.table.baseId,
    kind: side.kind,
    title: far.table.title,
    table_id: near.table.id,
    column_ids: near.columnIds,
    to_table_id: far.table.id,
    to_column_ids: far.columnIds,
    through_table: side.through ?? null,
    constraint_name: side.constraint ?? null,
    on_delete: side.onDelete ?? null,
    on_update: side.onUpdate ?? null,
    created_at: now,
    updated_at: now,
  });
  return [
    { ...row(there, from, to), id, inverse_id: inverse },
    { ...row(back, to, from), id: inverse, inverse_id: id },
  ];
}
