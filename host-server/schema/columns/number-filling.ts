import type { Unit } from '../../sql/unit.ts';
import type { ColumnFilling } from './fill-column.ts';
import { RowNumbers, type NumberedTable, type RowNumbering } from './number-rows.ts';

/** What a job has done before the new column is seen, and in the transaction in which it is. */
type Filling = Pick<ColumnFilling, 'approach' | 'finish'>;

/**
 * A filling after which each row has a number of its own: those to which the former column gave none, or that of another row, are
 * numbered behind the others.
 */
export function numberedAfter(
  filling: Filling,
  numbering: RowNumbering | undefined,
  table: Omit<NumberedTable, 'numbering'>,
): Filling {
  if (numbering === undefined) return filling;
  const numbers = new RowNumbers({ ...table, numbering });
  return {
    async approach() {
      await filling.approach();
      await numbers.approach();
    },
    // What was filled last may repeat a number that was given before.
    finish: async (unit: Unit) => (await filling.finish(unit)) && numbers.finish(unit),
  };
}
