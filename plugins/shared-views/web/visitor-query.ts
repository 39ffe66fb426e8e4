import type { ColumnEntity, FilterNode, SortKey } from '@trellis/sdk/shared';
import { toFilterBody } from '@trellis/sdk/web/views';

interface VisitorWishes {
  readonly words: string;
  readonly filters: readonly FilterNode[];
  readonly sorts: readonly SortKey[];
}

/** Columns that are searched at the most, since each one of them is compared with each row. */
const mostSearched = 8;

/** What a visitor asks for on top of the view, as the public calls take it. Words are looked for in columns of texts. */
export function visitorQuery(
  { words, filters, sorts }: VisitorWishes,
  columns: readonly ColumnEntity[],
): Readonly<Record<string, string>> {
  const texts = columns.filter(
    ({ storage, virtual }) => virtual !== true && (storage === 'string' || storage === 'text'),
  );
  const search: FilterNode = {
    kind: 'group',
    logicalOp: 'and',
    children: texts.slice(0, mostSearched).map(({ id }) => ({
      kind: 'condition',
      logicalOp: 'or',
      columnId: id,
      operator: 'like',
      value: words,
    })),
  };
  const asked: readonly FilterNode[] =
    words === '' || search.children.length === 0
      ? filters
      : filters.length === 0
        ? [search]
        : [{ kind: 'group', logicalOp: 'and', children: filters }, search];
  return {
    ...(asked.length > 0 && { filterArrJson: JSON.stringify(asked.map(toFilterBody)) }),
    ...(sorts.length > 0 && {
      sortArrJson: JSON.stringify(
        sorts.map(({ columnId, direction }) => ({ fk_column_id: columnId, direction })),
      ),
    }),
  };
}
