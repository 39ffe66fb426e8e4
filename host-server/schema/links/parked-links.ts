import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { foreignKeyType } from '../../metadata/models/column-rules.ts';
import type { LinkRow } from '../../metadata/models/link-model.ts';

/** What goes and comes back together with a column that shows a link. */
export interface LinkGroup {
  readonly links: readonly LinkRow[];
  /** Both ends of the link, the foreign key, and the columns that lead to a junction table. */
  readonly columns: readonly ColumnRow[];
  /** The junction table. */
  readonly tableIds: readonly string[];
}

/**
 * The group of a parked column that shows a link; undefined for one that shows none.
 *
 * @param parked the columns of the project that are parked
 */
export function linkGroupOf<Column extends ColumnRow>(
  column: ColumnRow,
  parked: readonly Column[],
  links: readonly LinkRow[],
): (LinkGroup & { readonly columns: readonly Column[] }) | undefined {
  const link = links.find(({ id }) => id === column.link_id);
  if (link === undefined) return undefined;
  const junction = link.through_table?.tableId;
  const group = links.filter(
    (one) =>
      one.id === link.id ||
      one.id === link.inverse_id ||
      (junction !== undefined && (one.table_id === junction || one.to_table_id === junction)),
  );
  const ids = new Set(group.map(({ id }) => id));
  const held = new Set(group.flatMap((one) => (one.kind === 'belongsTo' ? one.column_ids : [])));
  return {
    links: group,
    columns: parked.filter(
      (of) => (of.link_id !== null && ids.has(of.link_id)) || (held.has(of.id) && of.uidt === foreignKeyType),
    ),
    tableIds: junction === undefined ? [] : [junction],
  };
}
