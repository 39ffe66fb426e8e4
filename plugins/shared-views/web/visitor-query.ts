import type { ColumnEntity, SortKey } from '@trellis/sdk/shared';
import type { RowRule } from '@trellis/sdk/web/rows';

interface VisitorWishes {
  readonly words: string;
  readonly rules: readonly RowRule[];
  readonly sorts: readonly SortKey[];
}

/** Columns that are searched at the most, since each one of them is compared with each row. */
const mostSearched = 8;

/** What a visitor asks for on top of the view, as the public calls take it. Words are looked for in columns of texts. */
export function visitorQuery(
  { words, rules, sorts }: VisitorWishes,
  columns: readonly ColumnEntity[],
): Readonly<Record<string, string>> {
  const texts = columns.filter(
    ({ storage, virtual }) => virtual !== true && (storage === 'string' || storage === 'text'),
  );
  const found = texts.slice(0, mostSearched).map(({ id }): RowRule => ({
    fk_column_id: id,
    comparison_op: 'like',
    value: words,
    logical_op: 'or',
  }));
  const asked: readonly RowRule[] =
    words === '' || found.length === 0 ? rules : [...rules, { is_group: true, children: found }];
  return {
    ...(asked.length > 0 && { filterArrJson: JSON.stringify(asked) }),
    ...(sorts.length > 0 && {
      sortArrJson: JSON.stringify(
        sorts.map(({ columnId, direction }) => ({ fk_column_id: columnId, direction })),
      ),
    }),
  };
}
