import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { AggregationOf, ColumnEntity, LiveEvent, Row, TableEntity } from '../../shared/index.ts';
import { type ApiClient, ApiError, type ApiRequest } from '../api.ts';
import type { Translate } from '../context.ts';
import { RowsClient } from './rows-client.ts';
import { takeBack, undoOffer } from './rows-in-sight.ts';
import type { RowData } from './row-source.ts';
import type { RowsPlace } from './rows-place.ts';
import type { EditStep } from './edit-step.ts';
import { UndoStack } from './undo-stack.ts';

const column = (id: string, title: string, more: Partial<ColumnEntity> = {}): ColumnEntity =>
  ({ id, title, uidt: 'Text', storage: 'text', column_name: title, pk: false, ...more }) as ColumnEntity;
const columns = [column('cl_id', 'Id', { pk: true }), column('cl_name', 'Name')];

function place(of: readonly ColumnEntity[] = columns): RowsPlace {
  const table = { id: 'md_1', columns: of } as Partial<TableEntity> as TableEntity;
  return { kind: 'view', project: { id: 'p_1' } as never, table, view: { id: 'vw_1' } as never };
}

const rowsPath = '/api/v1/db/data/noco/p_1/md_1/views/vw_1';
const bulkPath = '/api/v1/db/data/bulk/noco/p_1/md_1';

/** A server of rows that a test may hold back, refuse and count. */
class Server implements ApiClient {
  rows: Row[] = Array.from({ length: 250 }, (_, at) => ({ Id: at + 1, Name: `name ${at + 1}` }));
  readonly requests: ApiRequest[] = [];
  /** Answers a write, or throws; the number of writes so far is its operation. */
  write: (request: ApiRequest) => unknown = () => ({});
  gate: Promise<void> = Promise.resolve();
  groupsRefusal: ApiError | undefined;
  writes = 0;
  /** Answers a read in place of the rows above. */
  answer: ((request: ApiRequest) => unknown) | undefined;

  get reads(): readonly ApiRequest[] {
    return this.requests.filter(({ method = 'GET', path }) => method === 'GET' && path === rowsPath);
  }

  async request<T>(request: ApiRequest): Promise<T> {
    return (await this.send<T>(request)).data;
  }

  async send<T>(request: ApiRequest): Promise<{ data: T; status: number; headers: Record<string, string> }> {
    this.requests.push(request);
    const isRead = (request.method ?? 'GET') === 'GET';
    const data = isRead ? this.read(request) : this.write(request);
    if (isRead) await this.gate;
    else this.writes += 1;
    const headers = { 'x-trellis-operation': `op${this.writes}`, 'x-request-id': `own${this.writes}` };
    return { data: data as T, status: 200, headers: isRead ? {} : headers };
  }

  download(): Promise<void> {
    return Promise.reject(new Error('not here'));
  }

  private read(request: ApiRequest): unknown {
    const { path, query } = request;
    if (this.answer !== undefined) return this.answer(request);
    if (path.endsWith('/count')) return { count: this.rows.length };
    const asked = JSON.parse(
      typeof query?.aggregations === 'string' ? query.aggregations : '[]',
    ) as readonly { readonly column: string }[];
    const figures = asked.map(({ column: id }) => `of ${id}`);
    if (path.endsWith('/aggregate')) return { list: figures.map((value) => ({ value })) };
    if (path.endsWith('/groups')) {
      if (this.groupsRefusal !== undefined) throw this.groupsRefusal;
      return { levels: [[{ values: ['a'], count: this.rows.length, figures }]] };
    }
    if (path.includes('/public/'))
      return {
        data: { list: this.rows.slice(0, Number(query?.limit)), pageInfo: { totalRows: this.rows.length } },
      };
    const start = Number(query?.offset);
    return { list: this.rows.slice(start, start + Number(query?.limit)) };
  }
}

function open(of = place()) {
  const server = new Server();
  const kept = { text: '' };
  const undo = () =>
    new UndoStack({
      read: () => kept.text,
      write: (text) => {
        kept.text = text;
      },
    });
  return { server, undo, client: new RowsClient(server, undo(), of) };
}

const change = (rowKey: string, value: unknown) => ({
  rowKey,
  index: Number(rowKey) - 1,
  columnId: 'cl_name',
  value,
  before: null,
});
const event = (changes: (LiveEvent & { kind: 'rows' })['changes'], requestId = 'other'): LiveEvent => ({
  kind: 'rows',
  projectId: 'p_1',
  tableId: 'md_1',
  seq: 1,
  requestId,
  changes,
});

afterEach(() => {
  jest.useRealTimers();
});

describe('rows of a place', () => {
  test('stay where they are when a column is added, and can still be taken back', async () => {
    const { server, client } = open();
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
    const { server, client } = open(shared);
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
    const { server, client } = open();
    client.source.ensure(0, 10);
    await client.source.settled();
    client.update(place(columns.map((each) => ({ ...each }))));
    expect(server.reads).toHaveLength(1);
  });

  test('are read again in an order of their own, in place of that of their view, until they have none', async () => {
    const { server, client } = open();
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
    const { server, client } = open();
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
    const { server, client } = open();
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
    const { server, client } = open();
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
    const { server, client } = open();
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
    // Two seconds of inserts: soon after the first, then once a second.
    expect(server.reads.length - before).toBeLessThanOrEqual(3);
    expect(server.reads.length - before).toBeGreaterThanOrEqual(2);
  });

  test('that somebody deletes are known to be, until the deletion is taken back', async () => {
    jest.useFakeTimers();
    const { server, client } = open();
    client.source.ensure(0, 10);
    await client.source.settled();
    server.rows = server.rows.filter(({ Id }) => Id !== 3);
    client.receive(event([{ op: 'delete', key: '3' }]));
    await jest.advanceTimersByTimeAsync(5000);
    expect(client.source.wasDeleted('3')).toBe(true);
    client.receive(event([{ op: 'insert', key: '3' }]));
    expect(client.source.wasDeleted('3')).toBe(false);
  });

  test('name by their key which of them was refused: the others are written', async () => {
    const { server, client } = open();
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
    const { server, client } = open();
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

describe('a new row', () => {
  test('is found where it stands when the place puts it last', async () => {
    const { server, client } = open();
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
    const { server, client } = open();
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

describe('what can be taken back', () => {
  test('is kept when the answer was lost, and goes when it was refused for good', async () => {
    const { server, client } = open();
    await client.write([change('1', 'a')]);
    server.write = () => {
      throw new ApiError(0, 'no connection');
    };
    await expect(client.undo('undo')).rejects.toThrow('no connection');
    server.write = () => {
      throw new ApiError(409, 'changed meanwhile');
    };
    await expect(client.undo('undo')).rejects.toThrow('changed meanwhile');
    expect(await client.undo('undo')).toBe(false);
  });

  test('outlives a reload of the page', async () => {
    const { server, client, undo } = open();
    await client.write([change('1', 'a')]);
    const again = new RowsClient(server, undo(), place());
    expect(await again.undo('undo')).toBe(true);
    expect(server.requests.at(-1)?.path).toBe('/api/v1/db/data/operations/p_1/op1/undo');
    expect(await again.undo('redo')).toBe(true);
  });

  test('is taken back one after the other, however fast it is asked for', async () => {
    const { server, client } = open();
    await client.write([change('1', 'a')]);
    await client.write([change('1', 'b')]);
    await Promise.all([client.undo('undo'), client.undo('undo')]);
    const paths = server.requests.filter(({ path }) => path.includes('operations')).map(({ path }) => path);
    expect(paths.map((path) => path.split('/').at(-2))).toEqual(['op2', 'op1']);
  });

  const undone = (server: Server): readonly string[] =>
    server.requests
      .filter(({ path }) => path.includes('operations'))
      .map(({ path }) => path.split('/').at(-2) ?? '');

  test('is all that one step did: what it changed, what it added, and the marks that it left', async () => {
    const { server, client } = open();
    const paste: EditStep = { kind: 'paste', count: 3 };
    await client.write([change('1', 'before')]);
    server.write = () => [{ Id: 251 }];
    await Promise.all([
      client.write([change('1', 'a')], paste),
      client.insertMany([{ cl_name: 'b' }], paste),
    ]);
    client.edits.fail([{ rowKey: '251', columnId: 'cl_name', text: 'junk', message: 'No' }], paste);
    expect(client.nextStep('undo')).toEqual({ kind: 'paste', count: 3 });

    expect(await client.undo('undo')).toBe(true);
    expect(undone(server)).toEqual(['op3', 'op2']);
    expect(client.edits.hasAny).toBe(false);
    expect(client.nextStep('undo')?.kind).toBe('edit');

    expect(client.nextStep('redo')).toEqual(paste);
    expect(await client.undo('redo')).toBe(true);
    expect(undone(server).slice(2)).toEqual(['op5', 'op4']);
  });

  test('takes what was made around the rows back after them, and makes it again before them', async () => {
    const { server, client } = open();
    const paste: EditStep = { kind: 'paste', count: 1 };
    const order: string[] = [];
    const noted = (name: string) => () => {
      order.push(`${name} after ${undone(server).length}`);
      return Promise.resolve();
    };
    client.prepared(paste, { undo: noted('undo'), redo: noted('redo') });
    await client.write([change('1', 'a')], paste);
    await client.undo('undo');
    await client.undo('redo');
    await client.undo('undo');
    expect(order).toEqual(['undo after 1', 'redo after 1', 'undo after 3']);
  });

  test('says after a reload that what was made around the rows for it stays', async () => {
    const { server, client, undo } = open();
    const paste: EditStep = { kind: 'paste', count: 1 };
    await client.write([change('1', 'a')]);
    client.prepared(paste, { undo: () => Promise.resolve(), redo: () => Promise.resolve() });
    await client.write([change('1', 'b')], paste);
    expect(client.leavesBehind(paste)).toBe(false);

    const toasts: string[] = [];
    const host = {
      t: ((text: string) => text) as Translate,
      toast: ({ summary }: { readonly summary: string }) => void toasts.push(summary),
    };
    // Twice: what is known of the first reload is known at the second one.
    for (const turn of ['first', 'second']) {
      const again = new RowsClient(server, undo(), place());
      await takeBack(again, 'undo', host);
      expect([turn, ...toasts.splice(0)]).toEqual([
        turn,
        'Options of a list that were made for it stay, since the page was loaded again.',
      ]);
      if (turn === 'first') await takeBack(again, 'redo', host);
    }
    const last = new RowsClient(server, undo(), place());
    await takeBack(last, 'undo', host);
    expect(toasts).toEqual([]);
    expect(undone(server)).toEqual(['op2', 'op3', 'op4', 'op1']);
  });

  test.each(['by the command', 'by the offer of a toast'])(
    'says how many rows stay away since what they held was deleted for good (%s)',
    async (way) => {
      const { server, client } = open();
      const deletion: EditStep = { kind: 'delete', count: 3 };
      await client.delete(['1', '2', '3'], deletion);
      server.write = () => ({ rows: 1, purged: 2 });
      const told = new Promise<string>((resolve, reject) => {
        const host = {
          t: ((text: string, params: { readonly count?: number } = {}) =>
            [text, params.count].join(' ')) as Translate,
          toast: ({ summary }: { readonly summary: string }) => resolve(summary),
        };
        if (way === 'by the command') takeBack(client, 'undo', host).catch(reject);
        else undoOffer(client, deletion, host).run();
      });
      expect(await told).toBe('{{count}} rows stay away: what they held was deleted for good. 2');
      expect(client.purgedOf(deletion)).toBe(2);
    },
  );

  test('is not done again, and no longer offered, where what it needs is refused', async () => {
    const { server, client } = open();
    const paste: EditStep = { kind: 'paste', count: 1 };
    const redo = () => Promise.reject(new ApiError(403, 'not allowed'));
    client.prepared(paste, { undo: () => Promise.resolve(), redo });
    await client.write([change('1', 'a')], paste);
    await client.undo('undo');
    await expect(client.undo('redo')).rejects.toThrow('not allowed');
    expect([undone(server).length, client.nextStep('redo')]).toEqual([1, undefined]);
  });

  test('is what was not taken, too, as long as it is to be seen', async () => {
    const { server, client } = open();
    const junk = { rowKey: '1', columnId: 'cl_name', text: 'junk', message: 'No' };
    await client.write([change('1', 'a')]);
    client.edits.fail([junk], { kind: 'edit', count: 1 });
    expect(await client.undo('undo')).toBe(true);
    expect([client.edits.hasAny, undone(server)]).toEqual([false, []]);

    client.edits.fail([junk], { kind: 'edit', count: 1 });
    client.edits.discard('1', 'cl_name');
    expect(await client.undo('undo')).toBe(true);
    expect(undone(server)).toEqual(['op1']);
  });

  test('is what is still on its way, not what came before it', async () => {
    const { server, client } = open();
    await client.write([change('1', 'a')]);
    const writing = client.write([change('1', 'b')]);
    expect(await client.undo('undo')).toBe(true);
    await writing;
    expect(undone(server)).toEqual(['op2']);
  });

  test('is one step, however often it is asked for while a write is on its way', async () => {
    const { server, client } = open();
    await client.write([change('1', 'a')]);
    await client.write([change('1', 'b')]);
    const writing = client.write([change('1', 'c')]);
    const answers = await Promise.all([client.undo('undo'), client.undo('undo'), client.undo('undo')]);
    await writing;
    expect(answers).toEqual([true, true, true]);
    expect(undone(server)).toEqual(['op3']);
    expect(await client.undo('undo')).toBe(true);
    expect(undone(server)).toEqual(['op3', 'op2']);
  });

  test('can be one step and no other: it stays where another came after it', async () => {
    const { server, client } = open();
    const deletion: EditStep = { kind: 'delete', count: 1 };
    await client.delete(['7'], deletion);
    await client.write([change('1', 'a')]);
    expect(await client.undo('undo', deletion)).toBe(false);
    expect(undone(server)).toEqual([]);
    await client.undo('undo');
    expect(await client.undo('undo', deletion)).toBe(true);
    expect(undone(server)).toEqual(['op2', 'op1']);
  });

  test('stays in part when a part of it was refused', async () => {
    const { server, client } = open();
    const paste: EditStep = { kind: 'paste', count: 2 };
    await client.write([change('1', 'a')], paste);
    await client.write([change('2', 'b')], paste);
    server.write = ({ path }) => {
      if (path.includes('op2')) throw new ApiError(409, 'changed meanwhile');
      return {};
    };
    await expect(client.undo('undo')).rejects.toThrow('changed meanwhile');
    expect(client.nextStep('undo')).toEqual(paste);
    expect(await client.undo('undo')).toBe(true);
    expect(client.nextStep('undo')).toBeUndefined();
  });
});

test('a row that was typed into as its view was deleted is written to its table', async () => {
  const { client, server } = open();
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
  const { server, client } = open();
  await client.write([change('1', 'a')]);
  await client.write([change('1', 'a'), change('2', 'b')]);
  const [one, many] = server.requests;
  expect(one).toMatchObject({ method: 'PATCH', path: `${rowsPath}/1`, body: { Name: 'a' } });
  expect(many).toMatchObject({ method: 'PATCH', path: bulkPath });
});

describe('grouped rows', () => {
  const groups = [{ columnId: 'cl_name', direction: 'asc' as const }];
  const sum = { columnId: 'cl_price', aggregation: 'sum' };
  const average = { columnId: 'cl_age', aggregation: 'avg' };

  /** A client of grouped rows that are read, on a clock that the test moves on. */
  async function openGrouped(figures: readonly AggregationOf[] = []) {
    jest.useFakeTimers();
    const { server, undo } = open();
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

describe('rows in stacks', () => {
  const state = column('cl_state', 'State');
  const task = (Id: number, State: string | null): Row => ({ Id, Name: `task ${Id}`, State });

  function openBoard() {
    const { server } = open();
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
