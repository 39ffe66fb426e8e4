import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Row } from '../../shared/index.ts';
import { bulkPath, column, columns, event, openRows, place, rowsPath } from '../../testing/rows-bench.ts';
import { ApiError, type ApiRequest } from '../api.ts';
import { RowsClient } from './rows-client.ts';
import type { RowData } from './row-source.ts';
import { UndoStack } from './undo-stack.ts';

afterEach(() => {
  jest.useRealTimers();
});

describe('rows in stacks', () => {
  const state = column('cl_state', 'State');
  const task = (Id: number, State: string | null): Row => ({ Id, Name: `task ${Id}`, State });

  function openBoard() {
    const { server } = openRows();
    server.rows = [task(1, 'open'), task(2, 'open'), task(3, 'done'), task(4, null)];
    const rowsOf = (query: ApiRequest['query']) => {
      const [rule] = JSON.parse(String(query?.filterArrJson)) as { comparison_op: string; value: string }[];
      const wanted = rule?.comparison_op === 'null' ? null : rule?.value;
      return server.rows.filter(({ State }) => State === wanted);
    };
    server.answer = ({ path, query }) => {
      if (!path.endsWith('/groups')) return { list: rowsOf(query) };
      const values = [...new Set(server.rows.map(({ State }) => State ?? null))];
      const count = (value: unknown) => server.rows.filter(({ State }) => State === value).length;
      return { levels: [values.map((value) => ({ values: [value], count: count(value), figures: [] }))] };
    };
    const place2 = place([...columns, state]);
    const undo = new UndoStack({ read: () => '', write: () => undefined });
    const groups = [{ columnId: state.id, direction: 'asc' }] as const;
    const client = new RowsClient(server, undo, place2, { groups });
    const shown = (value: string | null) => {
      const window = client.stacks.of(value);
      return Array.from({ length: window.count ?? 0 }, (_, at) => window.rowAt(at)?.key);
    };
    return { server, client, shown };
  }

  /** A row as its stack has it. */
  function held(client: RowsClient, key: string): RowData {
    const window = client.stacks.holding(key)?.window;
    const row = window?.rowAt(window.indexOf(key) ?? -1);
    if (row === undefined) throw new Error(`No stack holds ${key}.`);
    return row;
  }

  async function look(client: RowsClient, ...values: readonly (string | null)[]): Promise<void> {
    for (const value of values) client.stacks.of(value).ensure(0, 10);
    await client.stacks.settled();
  }

  test('cost one count for all of them and a page for each that is looked at', async () => {
    const { server, client, shown } = openBoard();
    await look(client, 'open', null);
    expect([shown('open'), shown(null)]).toEqual([['1', '2'], ['4']]);
    expect(client.figures.countOf('done')).toBe(1);
    const asked = server.requests.map(({ path }) => path.split('/').at(-1));
    expect(asked).toHaveLength(3);
    expect(new Set(asked)).toEqual(new Set(['groups', 'vw_1']));
  });

  test('show a row at once where it is moved, write its cell and its place, and show it where it was when that is refused', async () => {
    const { server, client, shown } = openBoard();
    await look(client, 'open', 'done');
    server.write = () => {
      throw new ApiError(400, 'Done is full.');
    };
    const to = { value: 'done', index: 0, beside: { side: 'before', row: '3' } } as const;
    const refused = client.moveToStack([held(client, '1')], to);
    expect([shown('open'), shown('done')]).toEqual([['2'], ['1', '3']]);
    await expect(refused).rejects.toThrow('Done is full.');
    await client.stacks.settled();
    expect([shown('open'), shown('done')]).toEqual([['1', '2'], ['3']]);
    server.write = () => {
      server.rows = [task(2, 'open'), task(1, 'done'), task(3, 'done')];
      return task(1, 'done');
    };
    await client.moveToStack([held(client, '1')], to);
    await client.stacks.settled();
    expect([shown('open'), shown('done')]).toEqual([['2'], ['1', '3']]);
    const writes = server.requests.filter(({ method }) => method !== undefined && method !== 'GET');
    expect(writes.slice(1)).toMatchObject([
      { method: 'PATCH', path: `${rowsPath}/1`, body: { State: 'done' } },
      { method: 'POST', path: `${bulkPath}/move`, query: { before: '3' }, body: { rows: ['1'] } },
    ]);
    expect(client.nextStep('undo')).toMatchObject({ kind: 'move' });
  });

  test('move several rows in one call and one step, in their order, and say which were refused', async () => {
    const { server, client, shown } = openBoard();
    await look(client, 'open', 'done', null);
    server.write = ({ path, body }) => {
      const refused = Array.isArray(body) && body.some((row: { Id?: unknown }) => String(row.Id) === '2');
      if (refused) throw new ApiError(400, 'Row 2 is locked.', 'VETOED', { rowKey: '2' });
      if (path.endsWith('/move'))
        server.rows = [task(4, 'done'), task(1, 'done'), task(3, 'done'), task(2, 'open')];
      return body;
    };
    const rows = ['4', '1', '2'].map((key) => held(client, key));
    const moving = client.moveToStack(rows, {
      value: 'done',
      index: 0,
      beside: { side: 'before', row: '3' },
    });
    expect([shown('open'), shown('done'), shown(null)]).toEqual([[], ['4', '1', '2', '3'], []]);
    expect(await moving).toEqual([{ rowKey: '2', columnId: state.id, message: 'Row 2 is locked.' }]);
    await client.stacks.settled();
    expect([shown('open'), shown('done')]).toEqual([['2'], ['4', '1', '3']]);
    const writes = server.requests.filter(({ method }) => method !== undefined && method !== 'GET');
    expect(writes.slice(1)).toMatchObject([
      {
        method: 'PATCH',
        path: bulkPath,
        body: [
          { Id: '4', State: 'done' },
          { Id: '1', State: 'done' },
        ],
      },
      { method: 'POST', path: `${bulkPath}/move`, body: { rows: ['4', '1'] } },
    ]);
    expect(client.nextStep('undo')).toEqual({ kind: 'move', count: 3 });
  });

  test('are counted and read anew when an option of their column is renamed, by whomever', async () => {
    const { server, client, shown } = openBoard();
    const listed = (dtxp: string) => place([...columns, { ...state, dtxp }]);
    client.update(listed("'open','done'"), { groups: [{ columnId: state.id, direction: 'asc' }] });
    await look(client, 'open', 'done');
    server.rows = [task(1, 'ready'), task(2, 'ready'), task(3, 'done'), task(4, null)];
    client.update(listed("'ready','done'"), { groups: [{ columnId: state.id, direction: 'asc' }] });
    await look(client, 'ready');
    expect([shown('open'), shown('ready'), shown('done')]).toEqual([[], ['1', '2'], ['3']]);
    expect(client.figures.groups?.map(({ values }) => values[0])).toEqual(['ready', 'done', null]);
  });

  test('keep the newer of two counts whose answers come in the other order', async () => {
    const { server, client } = openBoard();
    await look(client, 'open', 'done');
    let release: () => void = () => undefined;
    server.gate = new Promise((resolve) => (release = resolve));
    client.rearrange();
    const [moved, ...others] = server.rows;
    server.rows = [...others, { ...moved, State: 'done' }];
    server.gate = Promise.resolve();
    client.rearrange();
    await new Promise(setImmediate);
    release();
    await client.stacks.settled();
    expect(['open', 'done'].map((value) => client.stacks.of(value).count)).toEqual([1, 2]);
    expect(client.figures.countOf('done')).toBe(2);
  });

  test('are read once after a move, and once after it is taken back, which the channel tells of too', async () => {
    const { server, client } = openBoard();
    await look(client, 'open', 'done');
    jest.useFakeTimers();
    const reads = () =>
      ['groups', 'vw_1'].map(
        (end) =>
          server.requests.filter(({ method = 'GET', path }) => method === 'GET' && path.endsWith(end)).length,
      );
    const once = [1, 2];
    server.write = () => task(1, 'done');
    server.requests.length = 0;
    await client.moveToStack([held(client, '1')], {
      value: 'done',
      index: 0,
      beside: { side: 'before', row: '3' },
    });
    client.receive(event([{ op: 'update', key: '1', row: task(1, 'done') }], 'own1'));
    client.receive(event([{ op: 'update', key: '1', moved: true }], 'own2'));
    await jest.advanceTimersByTimeAsync(5000);
    expect(reads()).toEqual(once);
    server.requests.length = 0;
    await client.undo('undo');
    client.receive(event([{ op: 'update', key: '1', moved: true }], 'own3'));
    client.receive(event([{ op: 'update', key: '1', row: task(1, 'open') }], 'own4'));
    await jest.advanceTimersByTimeAsync(5000);
    expect(reads()).toEqual(once);
  });

  test('write nothing of a move whose place is refused', async () => {
    const { server, client } = openBoard();
    await look(client, 'open', 'done');
    server.write = ({ path }) => {
      if (path.endsWith('/move')) throw new ApiError(409, 'Row 3 is gone.');
      return task(1, path.endsWith('/undo') ? 'open' : 'done');
    };
    const beside = { side: 'before', row: '3' } as const;
    await expect(
      client.moveToStack([held(client, '1')], { value: 'done', index: 0, beside }),
    ).rejects.toThrow('is gone');
    const writes = server.requests.filter(({ method }) => method !== undefined && method !== 'GET');
    expect(writes.map(({ path }) => path.split('/').at(-1))).toEqual(['1', 'move', 'undo']);
    expect(client.nextStep('undo')).toBeUndefined();
  });

  test('take a new row into the stack of its value, and lose one that was deleted', async () => {
    const { server, client, shown } = openBoard();
    await look(client, 'done');
    server.write = () => {
      server.rows = [...server.rows, task(5, 'done')];
      return task(5, 'done');
    };
    expect(await client.insert({ [state.id]: 'done' })).toMatchObject({ index: 1, isPlaced: true });
    server.write = () => {
      server.rows = server.rows.filter(({ Id }) => Id !== 3);
    };
    await client.delete(['3']);
    expect(shown('done')).toEqual(['5']);
  });
});
