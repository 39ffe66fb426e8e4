import type { AggregationOf, CellValue, ColumnEntity } from '@trellis/sdk/shared';
import { showCell, useRegistry, useRegistryItem, useT } from '@trellis/sdk/web';
import type { RowsClient } from '@trellis/sdk/web/rows';
import { figureText } from '@trellis/sdk/web/views';
import { partsOfCell, type Stack } from './stack-list.ts';

interface StacksOf {
  readonly rows: RowsClient;
  /** The column of the stacks. */
  readonly column: ColumnEntity;
  readonly columns: readonly ColumnEntity[];
  readonly figures: readonly AggregationOf[];
}

/** The texts of a stack's head: its name, its number of rows, and a summary. */
export function useStackWords({ rows, column, columns, figures }: StacksOf) {
  const t = useT();
  const types = useRegistry('columnTypes');
  const aggregations = useRegistry('aggregations');
  const typeOf = ({ uidt }: ColumnEntity) => types.find(({ id }) => id === uidt);
  const { groups } = rows.figures;
  const type = typeOf(column);
  const useNames = type?.useNames ?? useFormatted;
  const nameOf = useNames(column);

  return {
    titleOf: ({ value, option }: Stack): string =>
      value === null ? t('Uncategorised') : (option?.title ?? nameOf(value)),

    /** The items of a cell with a list, and their names. */
    partsOf: (value: unknown): readonly string[] => partsOfCell(value, type?.separator),
    nameOf,

    /** Undefined while unknown. */
    countOf: ({ value }: Stack): number | undefined =>
      rows.stacks.of(value).count ?? (groups === undefined ? undefined : rows.figures.countOf(value)),

    figureOf({ value }: Stack): string | undefined {
      const [figure] = figures;
      const entity = columns.find(({ id }) => id === figure?.columnId);
      if (figure === undefined || entity === undefined) return undefined;
      const group = groups?.find(({ level, values }) => level === 0 && (values[0] ?? null) === value);
      const aggregation = aggregations.find(({ id }) => id === figure.aggregation);
      const ofGroup = group === undefined ? null : rows.figures.ofGroup(group, figure);
      const text = figureText(groups === undefined ? undefined : ofGroup, aggregation, {
        entity,
        type: typeOf(entity),
      });
      return `${t(aggregation?.label ?? '')} ${text}`;
    },
  };
}

/** Names values by the text that cells show, for types without other names. */
function useFormatted(column: ColumnEntity): (value: CellValue) => string {
  const type = useRegistryItem('columnTypes', column.uidt);
  return (value) => showCell(value, column, type);
}
