import type { AutomationStep } from '@trellis/sdk/server';
import { rowCreate } from '../../shared/index.ts';
import type { RowAccess } from './cells.ts';

/** Adds a row. */
export function createRowStep({ rows, open, cellsOf, keyOf }: RowAccess): AutomationStep {
  return {
    ...rowCreate,
    async prepare(call) {
      const handle = await open(call, 'dataInsert');
      const values = cellsOf(handle, call);
      return {
        shown: { table: handle.table.title, values },
        expected: { key: '', row: values },
        async take() {
          const { result } = await rows.create(handle, values);
          return { output: { key: keyOf(handle, result), row: result } };
        },
      };
    },
  };
}
