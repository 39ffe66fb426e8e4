import { expect, test } from '@jest/globals';
import type { ChangedCell } from '@trellis/sdk/web';
import { cellRequest } from './cell-request.ts';

const file = (name: string, title = name) => ({ url: `https://files.example.com/${name}`, title });
const cell = (files: readonly object[]) => (files.length === 0 ? null : JSON.stringify(files));

function requestFor(before: readonly object[], value: readonly object[]) {
  const of = { project: { id: 'p 1' }, table: { id: 'md_1' }, column: { id: 'cl_1' }, rowKey: '7' };
  return cellRequest({ ...of, before: cell(before), value: cell(value) } as unknown as ChangedCell);
}
const [a, b, c] = ['a', 'b', 'c'].map((name) => file(name)) as [object, object, object];

test('a file that is added is sent alone, so that those of others stay', () => {
  expect(requestFor([a], [a, b])).toMatchObject({
    method: 'PATCH',
    path: '/api/v1/db/storage/cells/noco/p%201/md_1/7/cl_1',
    body: { add: [b], remove: [] },
  });
});

test('a file that is taken out is named by its address, one that is renamed is sent with its title', () => {
  expect(requestFor([a, b], [b])?.body).toEqual({ add: [], remove: ['https://files.example.com/a'] });
  expect(requestFor([a, b], [file('a', 'plan'), b])?.body).toEqual({ add: [file('a', 'plan')], remove: [] });
});

test('another order is written as a whole, and what is the same not at all', () => {
  expect(requestFor([a, b], [b, a])).toBeUndefined();
  expect(requestFor([a, b], [c, a, b])).toBeUndefined();
  expect(requestFor([a], [a])).toBeUndefined();
});
