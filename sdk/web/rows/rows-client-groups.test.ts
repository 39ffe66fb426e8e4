import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { AggregationOf } from '../../shared/index.ts';
import { change, event, openRows, place, rowsPath } from '../../testing/rows-bench.ts';
import { ApiError } from '../api.ts';
import { RowsClient } from './rows-client.ts';

afterEach(() => {
  jest.useRealTimers();
});

describe('grouped rows', () => {
  const groups = [{ columnId: 'cl_name', direction: 'asc' as const }];
  const sum = { columnId: 'cl_price', aggregation: 'sum' };
  const average = { columnId: 'cl_age', aggregation: 'avg' };

  /** A client of grouped rows that are read, on a clock that the test moves on. */
  async function openGrouped(figures: readonly AggregationOf[] = []) {
    jest.useFakeTimers();
    const { server, undo } = openRows();
    const client = new RowsClient(server, undo(), place(), { groups, figures });
    client.source.ensure(0, 30);
    await jest.advanceTimersByTimeAsync(3000);
    server.requests.length = 0;
    const reads = () =>
      server.requests.flatMap(({ method = 'GET', path }) => (method === 'GET' ? [path] : []));
    return { server, client, reads };
  }

  test('are read once after a change by somebody else', async () => {
    const { client, reads } = await openGrouped();
    client.receive(event([{ op: 'insert', key: '999' }]));
    await jest.advanceTimersByTimeAsync(5000);
    expect(reads()).toEqual([`${rowsPath}/groups`, rowsPath]);
  });

  test('are read once after an own insert, which the channel tells of too', async () => {
    const { client, server, reads } = await openGrouped();
    server.write = () => ({ Id: 1, Name: 'a' });
    await client.insert({ cl_name: 'a' });
    client.receive(event([{ op: 'insert', key: '1' }], 'own1'));
    await jest.advanceTimersByTimeAsync(5000);
    expect(reads()).toEqual([`${rowsPath}/groups`, rowsPath]);
  });

  test('are read once after a cell was written, which may have moved its row', async () => {
    const { client, server, reads } = await openGrouped();
    server.write = () => ({ Id: 1, Name: 'b' });
    await client.write([change('1', 'b')]);
    client.receive(event([{ op: 'update', key: '1', row: { Id: 1, Name: 'b' } }], 'own1'));
    await jest.advanceTimersByTimeAsync(5000);
    expect(reads().toSorted()).toEqual([rowsPath, `${rowsPath}/groups`]);
  });

  test('have figures by column and kind, none under another column while they are read', async () => {
    const { client, server, reads } = await openGrouped([sum]);
    const [group] = client.figures.groups ?? [];
    if (group === undefined) throw new Error('The groups were not read');
    expect(client.figures.ofGroup(group, sum)).toBe('of cl_price');
    server.gate = new Promise(() => undefined);
    client.update(place(), { groups, figures: [average, sum] });
    expect([average, sum].map((figure) => client.figures.ofGroup(group, figure))).toEqual([
      undefined,
      'of cl_price',
    ]);
    expect(client.figures.total(average)).toBeUndefined();
    await jest.advanceTimersByTimeAsync(2000);
    server.requests.length = 0;
    client.update(place(), { groups, figures: [sum, average] });
    await jest.advanceTimersByTimeAsync(2000);
    expect(reads()).toEqual([]);
  });

  test('that cannot be read are counted alone, and say why', async () => {
    const { client, server } = await openGrouped();
    server.groupsRefusal = new ApiError(409, 'too many groups');
    client.source.retry();
    await jest.advanceTimersByTimeAsync(2000);
    expect(client.figures.error?.message).toBe('too many groups');
    expect([client.figures.groups, client.source.count, client.source.error]).toEqual([
      undefined,
      250,
      undefined,
    ]);
  });
});
