import type { AutomationStep } from '@trellis/sdk/server';
import { rowUpdate } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';
import type { RowAccess } from './cells.ts';
import type { LinkAccess } from './links.ts';

/** Changes a row that is named by its key. */
export function updateRowStep(
  { rows, open, cellsOf }: RowAccess,
  { linksOf, setLinks, shownLinks }: LinkAccess,
): AutomationStep {
  return {
    ...rowUpdate,
    async prepare(call) {
      const handle = await open(call, 'dataUpdate');
      const key = call.fill(call.settings.key).trim();
      if (key === '') throw automationErrors.create('AUTOMATION_NO_KEY');
      const values = cellsOf(handle, call);
      const links = await linksOf(handle, call);
      const missing = automationErrors.create('AUTOMATION_ROW', { key, table: handle.table.title });
      const now = await rows.read(handle, key);
      if (now === undefined) throw missing;
      return {
        shown: { table: handle.table.title, key, values: { ...values, ...shownLinks(links) } },
        expected: { key, row: { ...now, ...values } },
        async take() {
          const { result } = await rows.update(handle, key, values);
          if (result === undefined) throw missing;
          await setLinks(handle, key, links);
          return { output: { key, row: result } };
        },
      };
    },
  };
}
