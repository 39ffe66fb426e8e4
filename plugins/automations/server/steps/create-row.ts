import type { AutomationStep } from '@trellis/sdk/server';
import { rowCreate } from '../../shared/index.ts';
import { filledCells } from '../samples.ts';
import type { RowAccess } from './cells.ts';
import type { LinkAccess } from './links.ts';

/** Adds a row. */
export function createRowStep(
  { rows, types, open, cellsOf, keyOf }: RowAccess,
  { linksOf, linkAdded, shownLinks }: LinkAccess,
): AutomationStep {
  return {
    ...rowCreate,
    async prepare(call) {
      const handle = await open(call, 'dataInsert');
      const values = cellsOf(handle, call);
      const links = await linksOf(handle, call);
      return {
        shown: { table: handle.table.title, values: { ...values, ...shownLinks(links) } },
        expected: { key: '', row: values },
        open: [['key']],
        async check() {
          const kept = await rows.check(handle, values);
          return { key: '', row: { ...filledCells(handle, types), ...kept } };
        },
        async take() {
          const { result, operationId } = await rows.create(handle, values);
          const key = keyOf(handle, result);
          await linkAdded(handle, { key, operationId }, links);
          return { output: { key, row: result } };
        },
      };
    },
  };
}
