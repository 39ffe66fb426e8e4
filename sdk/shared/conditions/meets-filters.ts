import type { ColumnContext, ColumnTypeDefinition } from '../column-type.ts';
import type { FilterNode, FilterOperator, Predicate } from '../query-tree.ts';
import type { CellValue } from '../storage-kind.ts';
import {
  isUnfinished,
  predicateOfStored,
  predicateOfTree,
  type FilterCondition,
  type LinkedKeys,
} from './filter-predicate.ts';
import { meets, NotDecided } from './meets.ts';

/** A column that filters may use. @public */
export interface FilterColumn {
  /** Undefined while no enabled plugin provides it. */
  readonly type: ColumnTypeDefinition | undefined;
  readonly context: ColumnContext;
  /** Whether a cell holds a list of values: a condition is met when one of them meets it. */
  readonly several?: boolean;
  /**
   * For a link: the rows to which a cell is linked; undefined if the cell does not show them. A condition can test which they are
   * and whether there are any, and nothing else.
   */
  linkedKeys?(this: void, cell: CellValue): LinkedKeys | undefined;
}

/** The facts that `meetsFilters` needs. @public */
export interface FilterGround {
  /** By the ids of the columns. */
  readonly columns: ReadonlyMap<string, FilterColumn>;
  readonly operators: readonly FilterOperator[];
}

/** A condition that is neither true nor false, however it is combined. */
const open: Predicate = { kind: 'in', item: nothing(), values: [nothing()] };

function nothing() {
  return { kind: 'literal', value: null, storage: 'text' } as const;
}

/**
 * Whether a view with these filters would show a row. The page uses it for rows that are in no database. A condition with an
 * unknown column or operator is neither true nor false, like one on an empty cell; a condition without its value filters nothing.
 *
 * @param cells by column id, in the form of the API; a missing cell is empty
 * @throws RangeError when a value does not fit its column
 * @throws NotDecided when only a database can decide
 * @public
 */
export function meetsFilters(
  cells: ReadonlyMap<string, CellValue>,
  filters: readonly FilterNode[],
  { columns, operators }: FilterGround,
): boolean {
  const predicate = predicateOfTree(filters, ({ columnId, operator: word, value }: FilterCondition) => {
    const column = columns.get(columnId);
    const operator = operators.find(({ id, aliases }) => id === word || aliases?.includes(word) === true);
    if (column?.type === undefined || operator === undefined) return open;
    if (isUnfinished(operator, value)) return undefined;
    const { type, context } = column;
    if (column.linkedKeys !== undefined) {
      const linked = column.linkedKeys(cells.get(columnId) ?? null);
      if (linked === undefined) throw new NotDecided(columnId);
      return predicateOfStored({ operator, type, context, value, linked });
    }
    const items = column.several === true ? itemsIn(cells.get(columnId)) : undefined;
    return predicateOfStored({ operator, type, context, value, ...(items && { items }) });
  });
  if (predicate === undefined) return true;
  const known = [...columns].map(
    ([id, { type }]) => [id, kept(cells.get(id) ?? null, type?.separator)] as const,
  );
  return meets(predicate, {
    kindOf: (id) => columns.get(id)?.context.storage,
    cells: new Map(known),
  });
}

function itemsIn(cell: CellValue | undefined): readonly CellValue[] {
  if (Array.isArray(cell)) return cell as readonly CellValue[];
  return cell === undefined || cell === null ? [] : [cell];
}

/** A list of values is stored as one text if its type has a separator. */
function kept(value: CellValue, separator: string | undefined): CellValue {
  return separator !== undefined && Array.isArray(value) ? value.map(String).join(separator) : value;
}
