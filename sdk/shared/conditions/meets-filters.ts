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

/** A column that filters may ask of. @public */
export interface FilterColumn {
  /** Undefined while no plugin that is on provides it. */
  readonly type: ColumnTypeDefinition | undefined;
  readonly context: ColumnContext;
  /** Whether a cell holds a list of values: it is asked whether one of them meets a condition. */
  readonly several?: boolean;
  /** Of a link: the rows that a cell is linked to; undefined where the cell does not tell. It is asked which they are and whether there are any, and nothing else. */
  linkedKeys?(this: void, cell: CellValue): LinkedKeys | undefined;
}

/** What `meetsFilters` judges by. @public */
export interface FilterGround {
  /** By the ids of the columns. */
  readonly columns: ReadonlyMap<string, FilterColumn>;
  readonly operators: readonly FilterOperator[];
}

/** Neither so nor not so, whatever is made of it. */
const open: Predicate = { kind: 'in', item: nothing(), values: [nothing()] };

function nothing() {
  return { kind: 'literal', value: null, storage: 'text' } as const;
}

/**
 * Whether a row meets filters, as a view with them would show it: the page asks this of rows that no database has. A condition on a column
 * or by an operator that is not there is neither met nor not met, as one on an empty cell; one without its value yet asks nothing.
 *
 * @param cells by the ids of the columns, as the API gives them; one that is not there is empty
 * @throws RangeError where a value does not suit its column
 * @throws NotDecided where only a database can tell
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

/** A list of values is kept as one text where its type separates them. */
function kept(value: CellValue, separator: string | undefined): CellValue {
  return separator !== undefined && Array.isArray(value) ? value.map(String).join(separator) : value;
}
