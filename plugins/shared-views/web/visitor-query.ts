import type { ColumnEntity, SortKey } from '@trellis/sdk/shared';
import type { WebColumnType } from '@trellis/sdk/web';
import type { RowRule } from '@trellis/sdk/web/rows';
import { searchRules } from '@trellis/sdk/web/views';

interface VisitorWishes {
  readonly words: string;
  readonly rules: readonly RowRule[];
  readonly sorts: readonly SortKey[];
}

/** Columns that are searched at the most, since each one of them is compared with each row. */
const mostSearched = 8;

/** What a visitor asks for on top of the view, as the public calls take it. Words are looked for as members do, but in no cell that is computed. */
export function visitorQuery(
  { words, rules, sorts }: VisitorWishes,
  columns: readonly ColumnEntity[],
  types: readonly WebColumnType[],
): Readonly<Record<string, string>> {
  const searched = columns.filter(
    ({ virtual, uidt }) =>
      virtual !== true &&
      // What stands in cells of files is kept from visitors, and their server looks into none.
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
