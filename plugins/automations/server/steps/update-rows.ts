import type { AutomationStep } from '@trellis/sdk/server';
import { textsIn, TrellisError } from '@trellis/sdk/shared';
import { rowsUpdate } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';
import type { RowAccess } from './cells.ts';

const mostRows = 1000;

/** Writes the same values to all rows that meet conditions, as one change. */
export function updateRowsStep({ rows, open, cellsOf, filtersOf, keyOf }: RowAccess): AutomationStep {
  return {
    ...rowsUpdate,
    async prepare(call) {
      const handle = await open(call, 'bulkDataUpdate');
      const filters = filtersOf(call);
      const values = cellsOf(handle, call);
      const tooMany = automationErrors.create('AUTOMATION_ROWS', {
        table: handle.table.title,
        most: mostRows,
      });
      const page = { limit: mostRows + 1, offset: 0 };
      const found = filters === undefined ? [] : await rows.list(handle, { filters }, page, call.signal);
      if (found.length > mostRows) throw tooMany;
      return {
        shown: { table: handle.table.title, rows: found.length, values },
        expected: { count: found.length },
        async check() {
          const keys = found.map((row) => keyOf(handle, row));
          const mayBeMet = filters !== undefined || textsIn(call.settings.conditions).some(call.isOpen);
          // If no row can meet the conditions, nothing is written, whatever the values.
          if (mayBeMet) await rows.check(handle, values, keys);
          return { count: found.length };
        },
        async take() {
          if (filters === undefined) return { output: { count: 0 } };
          // More rows may meet the conditions by now, so the write has the limit as well.
          try {
            const { result } = await rows.updateAll(handle, { filters }, values, { most: mostRows });
            return { output: { count: result } };
          } catch (error) {
            throw error instanceof TrellisError && error.code === 'MORE_THAN_MEANT' ? tooMany : error;
          }
        },
      };
    },
  };
}
