import type { ColumnEntity, SortKey } from '@trellis/sdk/shared';
import type { WebColumnType } from '@trellis/sdk/web';
import type { RowRule } from '@trellis/sdk/web/rows';
import { searchRules } from '@trellis/sdk/web/views';

interface VisitorWishes {
  readonly words: string;
  readonly rules: readonly RowRule[];
  readonly sorts: readonly SortKey[];
}

/** Maximum number of searched columns, because each is compared in each row. */
const mostSearched = 8;

/**
 * A visitor's wishes in addition to the view, in the form of the public calls. Words are searched as for members, but not in
 * computed cells.
 */
export function visitorQuery(
  { words, rules, sorts }: VisitorWishes,
  columns: readonly ColumnEntity[],
  types: readonly WebColumnType[],
): Readonly<Record<string, string>> {
  const searched = columns.filter(
    ({ virtual, uidt }) =>
      virtual !== true &&
      // Visitors may not search in file cells; the server refuses it.
      types.some(
        ({ id, operators, takesFiles }) => id === uidt && takesFiles !== true && operators.includes('like'),
      ),
  );
  const asked = [...rules, ...searchRules(words, searched.slice(0, mostSearched), types)];
  return {
    ...(asked.length > 0 && { filterArrJson: JSON.stringify(asked) }),
    ...(sorts.length > 0 && {
      sortArrJson: JSON.stringify(
        sorts.map(({ columnId, direction }) => ({ fk_column_id: columnId, direction })),
      ),
    }),
  };
}
