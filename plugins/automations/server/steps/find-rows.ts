import type { AutomationStep } from '@trellis/sdk/server';
import { rowsFind } from '../../shared/index.ts';
import { automationErrors } from '../automation-errors.ts';
import { isLargerThan, mostFound } from '../output-size.ts';
import type { RowAccess } from './cells.ts';

const mostRows = 100;

/** Finds rows for later steps. */
export function findRowsStep({ rows, open, filtersOf }: RowAccess): AutomationStep {
  return {
    ...rowsFind,
    async prepare(call) {
      const handle = await open(call, 'dataList');
      const filters = filtersOf(call);
      const page = { limit: mostRows, offset: 0 };
      const tooLarge = () => automationErrors.create('AUTOMATION_FOUND_LARGE', { table: handle.table.title });
      const listed = filters === undefined ? [] : rows.list(handle, { filters }, page, call.signal);
      const found = await Promise.resolve(listed).catch((error: unknown) => {
        throw error instanceof Error && 'code' in error && error.code === 'ANSWER_TOO_LARGE'
          ? tooLarge()
          : error;
      });
      if (isLargerThan(found, mostFound)) throw tooLarge();
      const output = { count: found.length, first: found[0] ?? null, rows: found };
      const conditions = (filters ?? []).map((node) => (node.kind === 'group' ? node.children : node.value));
      return {
        shown: { table: handle.table.title, conditions, found: found.length },
        expected: output,
        take: () => Promise.resolve({ output }),
      };
    },
  };
}
