import type { AutomationStep } from '@trellis/sdk/server';
import { rowUpdate } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';
import type { RowAccess } from './cells.ts';
import type { LinkAccess } from './links.ts';

/** Changes a row by its key. */
export function updateRowStep(
  { rows, open, cellsOf }: RowAccess,
  { linksOf, setLinks, shownLinks }: LinkAccess,
): AutomationStep {
  return {
    ...rowUpdate,
    async prepare(call) {
      const handle = await open(call, 'dataUpdate');
      const { title: table } = handle.table;
      const values = cellsOf(handle, call);
      const links = await linksOf(handle, call);
      const written = { ...values, ...shownLinks(links) };
      /** A step may set only links. */
      const writesCells = links.length === 0 || Object.keys(values).length > 0;
      const check = async (...keys: readonly string[]) =>
        writesCells ? rows.check(handle, values, keys) : values;
      if (call.isOpen(call.settings.key))
        return {
          shown: { table, key: call.settings.key, values: written },
          expected: { key: '', row: values },
          open: [['key']],
          check: async () => ({ key: '', row: await check() }),
          take: () => Promise.reject(automationErrors.create('AUTOMATION_NO_KEY')),
        };
      const key = call.fill(call.settings.key).trim();
      if (key === '') throw automationErrors.create('AUTOMATION_NO_KEY');
      const missing = automationErrors.create('AUTOMATION_ROW', { key, table });
      const now = await rows.read(handle, key);
      if (now === undefined) throw missing;
      return {
        shown: { table, key, values: written },
        expected: { key, row: { ...now, ...values } },
        check: async () => ({ key, row: { ...now, ...(await check(key)) } }),
        async take() {
          const row = writesCells ? (await rows.update(handle, key, values)).result : now;
          if (row === undefined) throw missing;
          await setLinks(handle, key, links);
          return { output: { key, row } };
        },
      };
    },
  };
}
