import type { AutomationStep } from '@trellis/sdk/server';
import { rowDelete } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';
import type { RowAccess } from './cells.ts';

/** Deletes a row by its key; the trash keeps it. A row that is already deleted is no failure. */
export function deleteRowStep({ rows, open }: RowAccess): AutomationStep {
  return {
    ...rowDelete,
    async prepare(call) {
      const handle = await open(call, 'dataDelete');
      if (call.isOpen(call.settings.key))
        return {
          shown: { table: handle.table.title, key: call.settings.key },
          expected: { key: '', row: null },
          open: [['key'], ['row']],
          take: () => Promise.reject(automationErrors.create('AUTOMATION_NO_KEY')),
        };
      const key = call.fill(call.settings.key).trim();
      if (key === '') throw automationErrors.create('AUTOMATION_NO_KEY');
      const row = (await rows.read(handle, key)) ?? null;
      return {
        shown: { table: handle.table.title, key, row },
        expected: { key, row },
        async take() {
          await rows.delete(handle, key);
          return { output: { key, row } };
        },
      };
    },
  };
}
