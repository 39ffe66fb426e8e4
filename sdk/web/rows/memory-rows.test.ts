import { expect, jest, test } from '@jest/globals';
import { MemoryRows } from './memory-rows.ts';

const people = ['Ada', 'Bob', 'Cy'].map((name) => ({ key: name.toLowerCase(), values: { name } }));

test('Rows in memory are all there, and found by place and key', async () => {
  const source = new MemoryRows(people);
  source.ensure();
  await source.load();
  expect([source.count, source.atLeast, source.error]).toEqual([3, 3, undefined]);
  expect(source.rowAt(1)).toEqual({ key: 'bob', values: { name: 'Bob' } });
  expect(source.rowAt(3)).toBeUndefined();
  expect([source.indexOf('cy'), source.indexOf('dee')]).toEqual([2, undefined]);
  expect(source.wasDeleted()).toBe(false);
});

test('Rows in memory tell of each change, and of none once nobody listens', () => {
  const source = new MemoryRows(people);
  const told = jest.fn();
  const stop = source.subscribe(told);
  const { version } = source;
  source.put(1, { name: 'Bea' });
  expect(source.rows.map(({ values }) => values.name)).toEqual(['Ada', 'Bea', 'Cy']);
  // The rows that were given stay as they were.
  expect(people[1]?.values).toEqual({ name: 'Bob' });
  expect(source.version).not.toBe(version);
  source.rows = people.slice(0, 1);
  expect([source.count, source.rowAt(1)]).toEqual([1, undefined]);
  expect(told).toHaveBeenCalledTimes(2);
  stop();
  source.put(0, { name: 'Ann' });
  expect(told).toHaveBeenCalledTimes(2);
});

test('A row that is not in memory cannot be changed', () => {
  expect(() => new MemoryRows(people).put(3, { name: 'Dee' })).toThrow('There is no row 3');
});
