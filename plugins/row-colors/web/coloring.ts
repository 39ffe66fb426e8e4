import {
  askedColumn,
  columnContext,
  optionColors,
  type RowColor,
  type RowColoring,
  type RowColors,
  type WebColumnType,
} from '@trellis/sdk/web';
import {
  meetsFilters,
  NotDecided,
  strongTone,
  type CellValue,
  type ColumnEntity,
  type FilterColumn,
  type FilterGround,
} from '@trellis/sdk/shared';
import { colorOptions, columnsIn, rowColors } from '../shared/index.ts';
import { problemOfRule } from './rule-problem.ts';

/** Colours rows by the view's settings: by its rules, or by a column's options. */
export const rowColoring: RowColoring = {
  id: rowColors.id,
  of({ table: { columns = [] }, additions, types, operators }) {
    const { by, place, columnId, rules } = colorOptions(additions[rowColors.id]);
    if (by === 'column')
      return byOptions(
        columns.find(({ id }) => id === columnId),
        place,
      );
    const ground = groundOf(columns, types, operators);
    const usable = rules.filter((rule) => problemOfRule(rule, ground, columns) === undefined);
    if (usable.length === 0) return undefined;
    const asked = usable.map((rule) => ({ ...rule, columnIds: [...new Set(columnsIn(rule.filters))] }));
    return {
      columnIds: [...new Set(asked.flatMap((rule) => rule.columnIds))],
      colorOf: remembered((values) => {
        for (const { columnIds, filters, color } of asked) {
          // Newly used columns arrive when the rows are read again: a missing value does not mean an empty one.
          if (columnIds.some((id) => values[id] === undefined)) return undefined;
          const cells = new Map(columnIds.map((id) => [id, values[id] as CellValue]));
          const isMet = meetsOrUnknown(cells, filters, ground);
          // If the page cannot decide a rule for this row, a later rule must not apply.
          if (isMet === undefined) return undefined;
          if (isMet) return { color: strongTone(color), place };
        }
        return undefined;
      }),
    };
  },
};

/** Whether a row meets filters; undefined if its cells are not enough, such as a link to more rows than a cell contains. */
function meetsOrUnknown(...asked: Parameters<typeof meetsFilters>): boolean | undefined {
  try {
    return meetsFilters(...asked);
  } catch (error) {
    if (error instanceof NotDecided) return undefined;
    throw error;
  }
}

function byOptions(column: ColumnEntity | undefined, place: RowColor['place']): RowColors | undefined {
  if (column === undefined) return undefined;
  const colors = optionColors(column);
  return {
    columnIds: [column.id],
    colorOf(values) {
      const chosen = values[column.id];
      const color = typeof chosen === 'string' ? colors.get(chosen) : undefined;
      return color === undefined ? undefined : { color: strongTone(color), place };
    },
  };
}

/** Caches the result, because rows are drawn far more often than they change. */
function remembered(colorOf: RowColors['colorOf']): RowColors['colorOf'] {
  const known = new WeakMap<object, { readonly color: RowColor | undefined }>();
  return (values) => {
    const found = known.get(values) ?? { color: colorOf(values) };
    known.set(values, found);
    return found.color;
  };
}

/** The ground for judging conditions: the columns whose cells the page can compare. */
export function groundOf(
  columns: readonly ColumnEntity[],
  types: readonly WebColumnType[],
  operators: FilterGround['operators'],
): FilterGround {
  const known = columns.flatMap((column) => {
    const found = comparedAs(column, types);
    return found === undefined ? [] : [[column.id, found] as const];
  });
  return { columns: new Map(known), operators };
}

/**
 * A computed column is compared by its values, and a link by its linked rows. Undefined if only a database can compare the cells.
 */
function comparedAs(column: ColumnEntity, types: readonly WebColumnType[]): FilterColumn | undefined {
  const { column: compared, type } = askedColumn(column, types);
  if (type === undefined) return undefined;
  const context = columnContext(compared, type);
  if (compared.virtual !== true) return { type, context, several: column.asked?.several === true };
  const linkedKeys = column.asked === undefined ? type.linkedKeysOf?.(column) : undefined;
  return linkedKeys && { type, context, linkedKeys };
}
