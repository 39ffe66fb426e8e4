import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Row } from '../../shared/index.ts';
import {
  bulkPath,
  change,
  column,
  columns,
  event,
  openRows,
  place,
  rowsPath,
} from '../../testing/rows-bench.ts';
import { ApiError } from '../api.ts';
import type { RowsPlace } from './rows-place.ts';

afterEach(() => {
  jest.useRealTimers();
});

describe('rows of a place', () => {
  test('stay where they are when a column is added, and can still be taken back', async () => {
    const { server, client } = openRows();
    client.source.ensure(200, 210);
    await client.source.settled();
    await client.write([change('201', 'new')]);
    server.rows = server.rows.map((row) => ({ ...row, Age: 7 }));
    client.update(place([...columns, column('cl_age', 'Age')]));
    expect(client.source.rowAt(201)?.values.cl_name).toBe('name 202');
    await client.source.settled();
    expect(client.source.rowAt(201)?.values).toMatchObject({ cl_name: 'name 202', cl_age: 7 });
    expect(server.reads.at(-1)?.query).toMatchObject({ offset: 200 });
    expect(await client.undo('undo')).toBe(true);
  });

  test('that are shared are read by their link, counted, and not written', async () => {
    const { table, ...of } = place();
    const shared = { ...of, table, kind: 'sharedView', uuid: 'u 1', password: 'secret' } as RowsPlace;
    const { server, client } = openRows(shared);
    client.source.ensure(0, 10);
    await client.source.settled();
    expect([client.source.count, client.source.rowAt(2)?.values.cl_name]).toEqual([250, 'name 3']);
    for (const request of server.requests)
      expect(request).toMatchObject({
        path: '/api/v1/db/public/shared-view/u%201/rows',
        headers: { 'xc-password': 'secret' },
      });
    await expect(client.write([change('1', 'x')])).rejects.toThrow('only read');
    await expect(client.insert()).rejects.toThrow('only read');
    expect(server.writes).toBe(0);
    expect(client.source.rowAt(0)?.values.cl_name).toBe('name 1');
  });

  test('are not read again when nothing about their columns changed', async () => {
    const { server, client } = openRows();
    client.source.ensure(0, 10);
    await client.source.settled();
    client.update(place(columns.map((each) => ({ ...each }))));
    expect(server.reads).toHaveLength(1);
  });

  test('are read again when a computed column is made of something else, and not when one is only shown otherwise', async () => {
    const { server, client } = openRows();
    const sum = (formula: string, meta = {}) =>
      place([...columns, column('cl_sum', 'Sum', { virtual: true, colOptions: { formula }, meta })]);
    client.update(sum('1 + 1'));
    client.source.ensure(0, 10);
    await client.source.settled();
    client.update(sum('1 + 1', { decimals: 2 }));
    expect(server.reads).toHaveLength(1);
    client.update(sum('1 + 2', { decimals: 2 }));
    expect(server.reads).toHaveLength(2);
  });

  test('are read again in an order of their own, in place of that of their view, until they have none', async () => {
    const { server, client } = openRows();
    client.source.ensure(0, 10);
    await client.source.settled();
    const order = () => server.requests.filter(({ path }) => !path.endsWith('/count')).at(-1)?.query;
    client.update(place(), { sorts: [{ columnId: 'cl_name', direction: 'desc' }] });
    client.source.ensure(0, 10);
    await client.source.settled();
    const sortArrJson = JSON.stringify([{ fk_column_id: 'cl_name', direction: 'desc' }]);
    expect(order()).toMatchObject({ sortArrJson });
    client.update(place(), {});
    client.source.ensure(0, 10);
    await client.source.settled();
    expect(order()).not.toHaveProperty('sortArrJson');
    expect(server.reads).toHaveLength(3);
  });

  test('show a change that came while an older answer was on its way', async () => {
    const { server, client } = openRows();
    let answer = (): void => {};
    server.gate = new Promise((resolve) => {
      answer = resolve;
    });
    client.source.ensure(0, 10);
    client.receive(event([{ op: 'update', key: '2', row: { Name: 'newer' } }]));
    answer();
    await client.source.settled();
    expect(client.source.rowAt(1)?.values.cl_name).toBe('newer');
  });

  test('can be waited for while others write all the time', async () => {
    const { server, client } = openRows();
    client.source.ensure(0, 10);
    await client.source.settled();
    let answer = (): void => {};
    server.gate = new Promise((resolve) => {
      answer = resolve;
    });
    const loaded = client.source.load(0, 250);
    for (let times = 0; times < 5; times++) client.source.refresh();
    answer();
    await loaded;
    expect(client.source.rowAt(249)?.values.cl_name).toBe('name 250');
  });

  test('are added and moved beside another one, and read again when others move them', async () => {
    jest.useFakeTimers();
    const { server, client } = openRows();
    client.source.ensure(0, 10);
    await client.source.settled();
    server.write = () => ({ Id: 251, Name: 'new' });
    await client.insert({ cl_name: 'new' }, { side: 'before', row: '2' });
    await client.insertMany([{ cl_name: 'new' }], undefined, { side: 'after', row: '2' });
    await client.move(['5', '6'], { side: 'before', row: '2' });
    const written = server.requests.filter(({ method = 'GET' }) => method !== 'GET');
    expect(written.map(({ path, query, body }) => ({ path, query, body }))).toEqual([
      { path: rowsPath, query: { before: '2' }, body: { Name: 'new' } },
      { path: bulkPath, query: { after: '2' }, body: [{ Name: 'new' }] },
      { path: `${bulkPath}/move`, query: { before: '2' }, body: { rows: ['5', '6'] } },
    ]);
    expect(client.nextStep('undo')).toEqual({ kind: 'move', count: 2 });
    await jest.advanceTimersByTimeAsync(5000);
    server.requests.length = 0;
    client.receive(event([{ op: 'update', key: '7', row: {}, moved: true }]));
    await jest.advanceTimersByTimeAsync(5000);
    expect(server.reads).not.toEqual([]);
  });

  test('are read again once for many inserts of others, and not for an insert of our own', async () => {
    jest.useFakeTimers();
    const { server, client } = openRows();
    client.source.ensure(0, 10);
    await client.source.settled();
    server.write = () => ({ Id: 251, Name: null });
    await client.insert();
    const before = server.reads.length;
    client.receive(event([{ op: 'insert', key: '251' }], 'own1'));
    await jest.advanceTimersByTimeAsync(5000);
    expect(server.reads).toHaveLength(before);
    for (let times = 0; times < 40; times++) {
      client.receive(event([{ op: 'insert', key: `${300 + times}` }]));
      await jest.advanceTimersByTimeAsync(50);
    }
    await jest.advanceTimersByTimeAsync(2000);
    // Two seconds of inserts: soon after the first, then ever less often.
    expect(server.reads.length - before).toBeLessThanOrEqual(5);
    expect(server.reads.length - before).toBeGreaterThanOrEqual(2);
  });

  test('that somebody deletes go at once, before the others are read again', async () => {
    const { server, client } = openRows();
    client.source.ensure(0, 10);
    await client.source.settled();
    const before = server.reads.length;
    client.receive(
      event([
        { op: 'delete', key: '3' },
        { op: 'delete', key: '4' },
      ]),
    );
    expect([client.source.rowAt(2)?.key, client.source.count]).toEqual(['5', 248]);
    expect(server.reads).toHaveLength(before);
    client.dispose();
  });

  test('that somebody deletes are known to be, until the deletion is taken back', async () => {
    jest.useFakeTimers();
    const { server, client } = openRows();
    client.source.ensure(0, 10);
    await client.source.settled();
    server.rows = server.rows.filter(({ Id }) => Id !== 3);
    client.receive(event([{ op: 'delete', key: '3' }]));
    await jest.advanceTimersByTimeAsync(5000);
    expect(client.source.wasDeleted('3')).toBe(true);
    client.receive(event([{ op: 'insert', key: '3' }]));
    expect(client.source.wasDeleted('3')).toBe(false);
  });

  test('that came back before their own deletion was heard of stay', async () => {
    const { server, client } = openRows();
    client.source.ensure(0, 10);
    await client.source.settled();
    const all = server.rows;
    server.write = () => {
      server.rows = all.filter(({ Id }) => Id !== 3);
    };
    await client.delete(['3']);
    await client.source.settled();
    expect(client.source.rowAt(2)?.key).toBe('4');
    server.write = () => {
      server.rows = all;
    };
    await client.undo('undo');
    await client.source.settled();
    client.receive(event([{ op: 'delete', key: '3' }], 'own1'));
    client.receive(event([{ op: 'insert', key: '3' }], 'own2'));
    expect([client.source.rowAt(2)?.key, client.source.count]).toEqual(['3', 250]);
    expect(client.source.wasDeleted('3')).toBe(false);
    client.dispose();
  });

  test('name by their key which of them was refused: the others are written', async () => {
    const { server, client } = openRows();
    const bodies: unknown[] = [];
    server.write = ({ body }) => {
      const rows = body as readonly Row[];
      bodies.push(rows);
      const at = rows.findIndex((row) => row.Name === 'bad');
      if (at >= 0) throw new ApiError(400, 'not this one', 'VETOED', { rowKey: rows[at]?.Id });
      return rows.map(() => 1);
    };
    const failures = await client.write([change('1', 'a'), change('2', 'bad'), change('3', 'c')]);
    expect(failures).toEqual([{ rowKey: '2', columnId: 'cl_name', message: 'not this one' }]);
    expect(bodies.at(-1)).toEqual([
      { Id: '1', Name: 'a' },
      { Id: '3', Name: 'c' },
    ]);
  });

  test('a refusal by the place in the body counts from one, and one that names no row refuses all', async () => {
    const { server, client } = openRows();
    server.write = ({ body }) => {
      const rows = body as readonly Row[];
      const at = rows.findIndex((row) => row.Name === 'bad');
      if (at >= 0) throw new ApiError(400, 'not this one', 'VALUE_REFUSED_IN_ROW', { row: at + 1 });
      if (rows.length === 2) throw new ApiError(503, 'later');
      return {};
    };
    const failures = await client.write([change('1', 'a'), change('2', 'bad'), change('3', 'c')]);
    expect(failures.map(({ rowKey, message }) => [rowKey, message])).toEqual([
      ['2', 'not this one'],
      ['1', 'later'],
      ['3', 'later'],
    ]);
    await expect(client.write([change('1', 'a'), change('3', 'c')])).rejects.toThrow('later');
  });
});

test('a refusal that names a column refuses that cell alone where each stands for itself, and its row elsewhere', async () => {
  const { server, client } = openRows();
  client.update(place([...columns, column('cl_age', 'Age')]));
  const written: unknown[] = [];
  server.write = ({ body }) => {
    const rows = Array.isArray(body) ? (body as readonly Row[]) : [body as Row];
    const at = rows.findIndex(({ Age }) => Age === 'old');
    if (at >= 0) throw new ApiError(400, 'too old', 'VETOED', { row: at + 1, column: 'Age' });
    written.push(body);
    return rows.length === 1 ? rows[0] : {};
  };
  const block = ['1', '2'].flatMap((key) => [
    change(key, 'a'),
    { ...change(key, key === '2' ? 'old' : 'young'), columnId: 'cl_age' },
  ]);
  const step = { kind: 'paste', count: 4 } as const;
  const refused = { rowKey: '2', columnId: 'cl_age', message: 'too old' };
  expect(await client.write(block, step, 'cell')).toEqual([refused]);
  expect(written).toEqual([
    [
      { Id: '1', Name: 'a', Age: 'young' },
      { Id: '2', Name: 'a' },
    ],
  ]);
  const ofOne = block.filter(({ rowKey }) => rowKey === '2');
  expect(await client.write(ofOne, step, 'cell')).toEqual([refused]);
  expect(written.at(-1)).toEqual({ Name: 'a' });
  expect(await client.write(block, step)).toEqual([{ ...refused, columnId: 'cl_name' }, refused]);
  await expect(client.write(ofOne, step)).rejects.toThrow('too old');
  await expect(client.write(ofOne.slice(1), step, 'cell')).rejects.toThrow('too old');
});

describe('a new row', () => {
  test('is found where it stands when the place puts it last', async () => {
    const { server, client } = openRows();
    client.source.ensure(0, 10);
    await client.source.settled();
    server.write = () => {
      const row: Row = { Id: 251, Name: null };
      server.rows = [...server.rows, row];
      return row;
    };
    expect(await client.insert()).toMatchObject({ index: 250, isPlaced: true, row: { key: '251' } });
    expect(client.source.count).toBe(251);
  });

  test('that filters hide stands at the end until the rows are arranged anew', async () => {
    const { server, client } = openRows();
    client.source.ensure(240, 250);
    await client.source.settled();
    server.write = () => ({ Id: 900, Name: null });
    expect(await client.insert()).toMatchObject({ index: 250, isPlaced: false });
    expect(client.source.rowAt(250)?.key).toBe('900');
    expect([client.source.count, client.source.total]).toEqual([251, 250]);
    client.source.rearrange();
    expect(client.source.rowAt(250)).toBeUndefined();
  });
});

test('a row that was typed into as its view was deleted is written to its table', async () => {
  const { client, server } = openRows();
  server.write = ({ path }) => {
    if (path.includes('/views/')) throw new ApiError(404, 'View not found', 'VIEW_NOT_FOUND');
    return { Id: 3, Name: 'typed' };
  };
  expect(await client.write([change('3', 'typed')])).toEqual([]);
  expect(server.requests.at(-1)).toMatchObject({
    method: 'PATCH',
    path: '/api/v1/db/data/noco/p_1/md_1/3',
    body: { Name: 'typed' },
  });
});

test('writes of several rows go in one call, of one row to the row', async () => {
  const { server, client } = openRows();
  await client.write([change('1', 'a')]);
  await client.write([change('1', 'a'), change('2', 'b')]);
  const [one, many] = server.requests;
  expect(one).toMatchObject({ method: 'PATCH', path: `${rowsPath}/1`, body: { Name: 'a' } });
  expect(many).toMatchObject({ method: 'PATCH', path: bulkPath });
});
