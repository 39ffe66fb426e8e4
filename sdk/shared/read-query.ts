import type { FilterNode, GroupKey, LogicalOp, SortKey } from './query-tree.ts';
import type { CellValue } from './storage-kind.ts';

/** The deepest nesting of groups in a query, the same as in a `where`. @public */
export const deepestFilter = 12;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function logicalOp(value: unknown): LogicalOp {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  return word === 'or' || word === 'not' ? word : 'and';
}

/**
 * Reads the filters of a parameter `filterArrJson`: saved-filter objects in the form of the wire; a list inside the list is a
 * group.
 *
 * @param refuse makes the error for a value that is no filter (`shape`), and for groups nested deeper than `deepestFilter` levels
 * (`depth`)
 * @public
 */
export function readFilterNodes(
  values: readonly unknown[],
  refuse: (why: 'shape' | 'depth') => Error,
  depth = 1,
): readonly FilterNode[] {
  if (depth > deepestFilter) throw refuse('depth');
  return values.map((value) => readFilterNode(value, refuse, depth));
}

function readFilterNode(
  value: unknown,
  refuse: (why: 'shape' | 'depth') => Error,
  depth: number,
): FilterNode {
  const children = (of: readonly unknown[]) => readFilterNodes(of, refuse, depth + 1);
  if (Array.isArray(value)) return { kind: 'group', logicalOp: 'and', children: children(value) };
  if (!isObject(value)) throw refuse('shape');
  if (value.is_group === true || Array.isArray(value.children)) {
    const of = Array.isArray(value.children) ? (value.children as readonly unknown[]) : [];
    return { kind: 'group', logicalOp: logicalOp(value.logical_op), children: children(of) };
  }
  return {
    kind: 'condition',
    logicalOp: logicalOp(value.logical_op),
    columnId: typeof value.fk_column_id === 'string' ? value.fk_column_id : '',
    operator: typeof value.comparison_op === 'string' ? value.comparison_op : '',
    value: value.value as CellValue | undefined,
  };
}

/**
 * Reads the sorts of a parameter such as `sortArrJson`: objects with the id of a column and a direction, which is ascending
 * unless it is `desc`.
 *
 * @param refuse makes the error for a value that is no sort
 * @public
 */
export function readSortKeys(values: readonly unknown[], refuse: () => Error): readonly SortKey[] {
  return values.map((value) => {
    if (!isObject(value) || typeof value.fk_column_id !== 'string') throw refuse();
    return { columnId: value.fk_column_id, direction: value.direction === 'desc' ? 'desc' : 'asc' };
  });
}

/** The most bounds between which one column may be grouped. */
const mostBounds = 100;

/**
 * Reads the columns of a parameter `groupArrJson`: sorts, which may have bounds that each begin another group.
 *
 * @param refuse makes the error for a value that is no such column
 * @public
 */
export function readGroupKeys(values: readonly unknown[], refuse: () => Error): readonly GroupKey[] {
  return readSortKeys(values, refuse).map((key, at): GroupKey => {
    const { bounds } = values[at] as { readonly bounds?: unknown };
    if (bounds === undefined) return key;
    if (!Array.isArray(bounds) || bounds.length === 0 || bounds.length > mostBounds) throw refuse();
    const isValue = (bound: unknown) =>
      typeof bound === 'string' || (typeof bound === 'number' && Number.isFinite(bound));
    if (!bounds.every(isValue)) throw refuse();
    return { ...key, bounds: bounds as readonly (string | number)[] };
  });
}
