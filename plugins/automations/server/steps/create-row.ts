import type { AutomationStep } from '@trellis/sdk/server';
import { cellsInput, tableInput, type RowAccess } from './cells.ts';

/** Adds a row. */
export function createRowStep({ rows, open, cellsOf, keyOf }: RowAccess): AutomationStep {
  return {
    id: 'row.create',
    label: 'Create a row',
    icon: 'plus-circle',
    order: 10,
    inputs: [tableInput, cellsInput],
    outputs: ['key', 'row'],
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
