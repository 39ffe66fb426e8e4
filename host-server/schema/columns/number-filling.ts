import type { Unit } from '../../sql/unit.ts';
import type { ColumnFilling } from './fill-column.ts';
import { RowNumbers, type NumberedTable, type RowNumbering } from './number-rows.ts';

/** The work of a job before the new column is visible, and in the transaction that makes it visible. */
type Filling = Pick<ColumnFilling, 'approach' | 'finish'>;

/** A filling that also gives each row its own number: rows without a number, or with that of another row, are numbered after the others. */
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
    // The last rows filled may repeat a number that was given before.
    finish: async (unit: Unit) => (await filling.finish(unit)) && numbers.finish(unit),
  };
}
