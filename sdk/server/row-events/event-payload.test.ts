import { expect, jest, test } from '@jest/globals';
import type { Row } from '../../shared/index.ts';
import type { Change } from '../changes.ts';
import type { OutboxEvent } from '../outbox.ts';
import type { RowReads } from '../row-reads.ts';
import type { TableHandle } from '../table-handle.ts';
import { payloadOf, RowStates } from './event-payload.ts';

const columns = [
  { id: 'c_name', title: 'Name', type: 'SingleLineText' },
  { id: 'c_count', title: 'Count', type: 'Number' },
];

function handleOf(): TableHandle {
  const columnById = new Map(columns.map((column) => [column.id, column]));
  const table = { id: 'md_1', title: 'Things', columns, columnById };
  const scope = { readableColumns: () => 'all' };
  return { table, scope, snapshot: {} } as unknown as TableHandle;
}

/** A row that was counted up from 0, with one change for each number, and how often it was asked for. */
function counted(to: number) {
  const asked = { rows: 0, pages: 0 };
  const changes = Array.from({ length: to }, (_, index) => {
    const change = { op: 'update', before: { c_count: index }, after: { c_count: index + 1 } };
    return {
      seq: 10 * (index + 1),
      change: { ...change, tableId: 'md_1', rowKey: '1', at: 0 } as unknown as Change,
    };
  });
  const rows = {
    read: async () => {
      asked.rows += 1;
      return { Name: 'Lamp', Count: to } as Row;
    },
    history: async (_handle, _key, { before = Number.POSITIVE_INFINITY, limit }) => {
      asked.pages += 1;
      return changes
        .filter(({ seq }) => seq < before)
        .toReversed()
        .slice(0, limit);
    },
  } as Pick<RowReads, 'read' | 'history'>;
  const events = changes.map(({ seq, change }): OutboxEvent => {
    const id = `ch_${seq}_0`;
    return { id, seq, position: 0, size: 1, attempt: 1, change: { ...change, id } };
  });
  return { rows, events, asked };
}

test.each([1, 2, 49, 60, 700, 5000])(
  'tells of each of %d changes of a row as it was, without reading all of them for each',
  async (count) => {
    const { rows, events, asked } = counted(count);
    const handle = handleOf();
    const states = new RowStates();
    for (const [index, event] of events.entries()) {
      const { data, previous } = await payloadOf(event, handle, rows, states);
      expect(data).toEqual({ Name: 'Lamp', Count: index + 1 });
      expect(previous).toEqual({ Name: 'Lamp', Count: index });
    }
    if (count <= 2000) expect(asked.rows).toBeLessThanOrEqual(2);
  },
);

test('reads a row again where the schema or the order of its changes is another one', async () => {
  const { rows, events, asked } = counted(10);
  const states = new RowStates();
  const [first, second, , fourth] = events;
  if (first === undefined || second === undefined || fourth === undefined) throw new Error('No events');
  const handle = handleOf();
  await payloadOf(first, handle, rows, states);
  await payloadOf(second, handleOf(), rows, states);
  expect(asked.rows).toBe(2);
  expect((await payloadOf(fourth, handle, rows, states)).data).toEqual({ Name: 'Lamp', Count: 4 });
  expect(asked.rows).toBe(3);
});

test('holds no more of rows than has room, the newest of them, and nothing once nothing happens', () => {
  jest.useFakeTimers();
  try {
    const states = new RowStates();
    const idle = states.emptyWhenIdle();
    const [event] = counted(1).events;
    const { snapshot } = handleOf();
    const of = (rowKey: string) =>
      ({ ...event, change: { ...event?.change, rowKey } }) as unknown as OutboxEvent;
    const keep = (key: string, size: number) =>
      states.keep(of(key), { seq: 1, row: { Name: 'x'.repeat(size) }, later: [], isFar: false, snapshot });
    const held = (keys: readonly string[]) => keys.filter((key) => states.before(of(key)) !== undefined);
    const megabyte = 1024 * 1024;
    const keys = Array.from({ length: 20 }, (_, index) => `row ${index}`);
    for (const key of keys) keep(key, megabyte);
    expect(held(keys)).toEqual(keys.slice(-7));
    keep('row 19', 10);
    keep('huge', 100 * megabyte);
    expect(held([...keys, 'huge'])).toEqual(keys.slice(-7));
    jest.advanceTimersByTime(60_000);
    expect(held(keys)).toHaveLength(7);
    jest.advanceTimersByTime(60_000);
    expect(held(keys)).toEqual([]);
    void idle.dispose();
  } finally {
    jest.useRealTimers();
  }
});
