import { expect, test } from '@jest/globals';
import {
  RowStoreToken,
  type OutboxEvent,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import { createConditions } from './conditions.ts';

const text = { kind: 'literal', value: 'A', storage: 'text' } as const;
const stored: Predicate = {
  kind: 'compare',
  comparison: 'eq',
  left: { kind: 'column', columnId: 'c_title' },
  right: text,
};
const computed: Predicate = {
  ...stored,
  left: { kind: 'call', function: 'UPPER', arguments: [{ kind: 'column', columnId: 'c_title' }] },
};

const columns = [{ id: 'c_title', title: 'Title', storage: 'text' }];
const handle = {
  table: { id: 'md_1', columns, columnById: new Map(columns.map((column) => [column.id, column])) },
  scope: { principal: {}, rowPredicate: () => undefined },
} as unknown as TableHandle;

const asked = [{ fk_column_id: 'c_title', comparison_op: 'eq', value: 'A' }];

function conditionsOf(condition: Predicate) {
  const rows = { conditionOf: async () => condition, exists: async () => true };
  const services = {
    get: (token: unknown) =>
      token === RowStoreToken ? rows : { narrow: () => ({}), open: async () => handle },
  };
  return createConditions(services as unknown as ServerPluginContext);
}

const areStored = (condition: Predicate) => conditionsOf(condition).areOfStoredCells(asked, handle);

function comesToMatch(condition: Predicate, op: 'insert' | 'update'): Promise<boolean> {
  const { areMet } = conditionsOf(condition);
  const change = { op, tableId: 'md_1', rowKey: '1', before: { c_title: 'a' }, after: { c_title: 'A' } };
  const payload = async () => ({ data: { Title: 'A' }, previous: { Title: 'a' } });
  return areMet(asked, { event: { change } as unknown as OutboxEvent, handle, payload }, true);
}

test('a row comes to match by its cells before a change, as far as they are stored', async () => {
  expect(await comesToMatch(stored, 'update')).toBe(true);
  expect(await comesToMatch(stored, 'insert')).toBe(true);
  expect(await areStored(stored)).toBe(true);
  expect(await areStored(computed)).toBe(false);
});
