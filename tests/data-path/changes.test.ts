import { setImmediate } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { WrittenCalls } from '../../host-server/changes/written-calls.ts';
import { createIdempotency, sweepIdempotency } from '../../host-server/http/idempotency.ts';
import { openDatabase, type Database } from '../../host-server/databases/index.ts';
import type { OutboxEvent } from '@trellis/sdk/server';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';
import { announcements, recorded } from './recorded.ts';

const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-durability-'));
  folders.push(folder);
  return folder;
}

/** What so many milliseconds without a sign of life do to the calls that are held. */
function age(database: Database, milliseconds: number) {
  return database.write((unit) =>
    unit.run(unit.knex('trellis_idempotency').decrement('created_at', milliseconds)),
  );
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

describeEachMetadata('a change to another database', (open) => {
  async function start() {
    const folder = await newFolder();
    const database = await open();
    const external = await openDatabase(
      { kind: 'sqlite', file: join(folder, 'shop.db'), create: true },
      { name: 'shop' },
    );
    await external.write((unit) =>
      unit.run(
        unit.knex.raw(
          'create table item (id integer primary key autoincrement, name text, price integer unique)',
        ),
      ),
    );
    await external.write((unit) => unit.run(unit.knex.raw('create table note (body text)')));
    await external.write((unit) => unit.run(unit.knex.raw("insert into note values ('kept')")));
    await external.close();
    const path = await createDataPath(database, { sqliteFolder: folder });
    const project = await path.schema.createProject(path.access.systemScope(undefined, 'test'), {
      title: 'Shop',
      external: { type: 'sqlite3', config: { connection: { filename: 'shop.db' } } },
    });
    const scope = path.access.systemScope(project.id, 'test');
    const table = await path.schema.table(scope, 'Item');
    const { rowStore, pending, access } = path;
    const title = (column: string) => table.columnByName.get(column)?.title ?? '';
    const told = () => recorded(database, table.id);
    /** What the log tells of, and what is announced. */
    const states = async () => [
      ...(await told()).map(({ op, rowKey }) => `${op} ${rowKey} done`),
      ...(await announcements(database)),
    ];
    const settle = () =>
      rowStore.settlePending((projectId) => access.systemScope(projectId, 'test'), Date.now() + 1);

    /** The process dies after the data was written and before that is confirmed. */
    async function cutBeforeConfirm(write: () => Promise<unknown>): Promise<void> {
      const { confirm } = pending;
      pending.confirm = () => Promise.reject(new Error('killed'));
      await expect(write()).rejects.toThrow('killed');
      pending.confirm = confirm;
    }

    /** The process dies after the announcement and before the data is written. */
    async function cutBeforeData(write: () => Promise<unknown>): Promise<void> {
      const { announce } = pending;
      pending.announce = async (...given) => {
        await announce.apply(pending, given);
        throw new Error('killed');
      };
      await expect(write()).rejects.toThrow('killed');
      pending.announce = announce;
    }

    return { ...path, database, scope, table, title, told, states, settle, cutBeforeConfirm, cutBeforeData };
  }

  test('is in the log once it is certain, under the operation with which it was announced', async () => {
    const { rowStore, handleOf, pending, scope, table, told, states, settle, dispose } = await start();
    const announced: string[] = [];
    const { announce } = pending;
    pending.announce = (operation, changes) => {
      announced.push(operation.id);
      return announce.call(pending, operation, changes);
    };
    const { result } = await rowStore.create(await handleOf(scope, table.id), { name: 'pen', price: 3 });
    const key = rowStore.keyOf(table, result) ?? '';
    await rowStore.update(await handleOf(scope, table.id), key, { price: 4 });
    await rowStore.delete(await handleOf(scope, table.id), key);
    expect(await states()).toEqual([`insert ${key} done`, `update ${key} done`, `delete ${key} done`]);
    expect((await told()).map(({ operationId }) => operationId)).toEqual(announced);
    expect(await settle()).toEqual({ done: 0, withdrawn: 0, unknown: 0 });
    await dispose();
  });

  test('that the database refused is not recorded', async () => {
    const { rowStore, handleOf, scope, table, states, dispose } = await start();
    await rowStore.create(await handleOf(scope, table.id), { name: 'pen', price: 3 });
    await expect(
      rowStore.create(await handleOf(scope, table.id), { name: 'ink', price: 3 }),
    ).rejects.toMatchObject({
      status: 400,
    });
    expect(await states()).toHaveLength(1);
    await dispose();
  });

  test('that was made but not confirmed is found and told of, once', async () => {
    const { rowStore, handleOf, outbox, scope, table, states, settle, cutBeforeConfirm, database, dispose } =
      await start();
    const { result } = await rowStore.create(await handleOf(scope, table.id), { name: 'pen', price: 3 });
    const key = rowStore.keyOf(table, result) ?? '';
    const delivered: string[] = [];
    const deliver = async ({ change }: OutboxEvent) => void delivered.push(`${change.op} ${change.rowKey}`);
    outbox.subscribe({ id: 'test', deliver });
    await outbox.settle();
    // The same values as a row that is told of already: it is the new one that is found.
    await cutBeforeConfirm(async () => rowStore.create(await handleOf(scope, table.id), { name: 'pen' }));
    await cutBeforeConfirm(async () => rowStore.update(await handleOf(scope, table.id), key, { price: 5 }));
    const other = (await rowStore.create(await handleOf(scope, table.id), { name: 'ink' })).result;
    const otherKey = rowStore.keyOf(table, other) ?? '';
    await cutBeforeConfirm(async () => rowStore.delete(await handleOf(scope, table.id), otherKey));
    expect((await announcements(database)).filter((state) => state.endsWith('pending'))).toHaveLength(3);
    expect(await settle()).toEqual({ done: 3, withdrawn: 0, unknown: 0 });
    expect(await settle()).toEqual({ done: 0, withdrawn: 0, unknown: 0 });
    expect((await states()).toSorted()).toEqual([
      'delete 3 done',
      'insert 1 done',
      'insert 2 done',
      'insert 3 done',
      'update 1 done',
    ]);
    await outbox.settle();
    expect(delivered.toSorted()).toEqual(['delete 3', 'insert 2', 'insert 3', 'update 1']);
    await dispose();
  });

  test('of very many rows is settled whole, with the keys that its rows got', async () => {
    const { rowStore, handleOf, scope, table, told, settle, cutBeforeConfirm, dispose } = await start();
    const handle = await handleOf(scope, table.id);
    const rows = Array.from({ length: 1500 }, (_, index) => ({ name: `n${index % 3}`, price: index }));
    await rowStore.createMany(
      handle,
      rows.slice(0, 200).map(({ name }) => ({ name })),
    );
    await cutBeforeConfirm(() => rowStore.createMany(handle, rows));
    expect(await settle()).toEqual({ done: 1500, withdrawn: 0, unknown: 0 });
    const patches = rows.map((_, index) => ({ id: index + 201, name: 'changed' }));
    await cutBeforeConfirm(() => rowStore.updateMany(handle, patches));
    expect(await settle()).toEqual({ done: 1500, withdrawn: 0, unknown: 0 });
    const inserted = (await told()).filter(({ op, rowKey }) => op === 'insert' && Number(rowKey) > 200);
    const price = table.columnByName.get('price')?.id ?? '';
    expect(inserted.map(({ rowKey, after }) => [rowKey, Number(after?.[price])])).toEqual(
      rows.map((_, index) => [String(index + 201), index]),
    );
    await dispose();
  });

  test('that was announced but not made is withdrawn', async () => {
    const { rowStore, handleOf, scope, table, states, settle, cutBeforeData, dispose } = await start();
    const { result } = await rowStore.create(await handleOf(scope, table.id), { name: 'pen', price: 3 });
    const key = rowStore.keyOf(table, result) ?? '';
    await cutBeforeData(async () =>
      rowStore.create(await handleOf(scope, table.id), { name: 'ink', price: 9 }),
    );
    await cutBeforeData(async () => rowStore.update(await handleOf(scope, table.id), key, { price: 8 }));
    await cutBeforeData(async () => rowStore.delete(await handleOf(scope, table.id), key));
    expect(await settle()).toEqual({ done: 0, withdrawn: 3, unknown: 0 });
    expect(await states()).toEqual([`insert ${key} done`]);
    await dispose();
  });

  test('of every row of a question cannot be told after a cut, and is told to nobody', async () => {
    const { rowStore, handleOf, scope, table, states, settle, cutBeforeConfirm, dispose } = await start();
    await rowStore.create(await handleOf(scope, table.id), { name: 'pen', price: 3 });
    await cutBeforeConfirm(async () =>
      rowStore.updateAll(await handleOf(scope, table.id), {}, { name: 'x' }, { everyRow: true }),
    );
    expect(await settle()).toEqual({ done: 0, withdrawn: 0, unknown: 1 });
    expect(await states()).toEqual(['insert 1 done', 'update unknown']);
    expect(await settle()).toEqual({ done: 0, withdrawn: 0, unknown: 0 });
    await dispose();
  });

  test('is refused with the reason where a table has no key, and its rows are still shown', async () => {
    const { rowStore, handleOf, schema, scope, states, dispose } = await start();
    const note = await schema.table(scope, 'Note');
    const shown = await rowStore.list(await handleOf(scope, note.id), {}, { limit: 25, offset: 0 });
    expect(shown.map((row) => Object.values(row))).toEqual([['kept']]);
    for (const write of [
      async () => rowStore.create(await handleOf(scope, note.id), { body: 'x' }),
      async () => rowStore.update(await handleOf(scope, note.id), '1', { body: 'x' }),
      async () => rowStore.delete(await handleOf(scope, note.id), '1'),
      async () => rowStore.createMany(await handleOf(scope, note.id), [{ body: 'x' }]),
      async () => rowStore.updateMany(await handleOf(scope, note.id), [{ body: 'x' }]),
      async () => rowStore.deleteMany(await handleOf(scope, note.id), [{ body: 'kept' }]),
      async () => rowStore.updateAll(await handleOf(scope, note.id), {}, { body: 'x' }, { everyRow: true }),
      async () => rowStore.deleteAll(await handleOf(scope, note.id), {}, { everyRow: true }),
    ]) {
      await expect(write()).rejects.toMatchObject({ status: 400, code: 'TABLE_READ_ONLY' });
    }
    expect(await rowStore.count(await handleOf(scope, note.id), {})).toBe(1);
    expect(await states()).toEqual([]);
    await dispose();
  });

  test('that was settled without its former values is not undone into an empty row', async () => {
    const { rowStore, handleOf, scope, table, told, settle, cutBeforeConfirm, dispose } = await start();
    const { result } = await rowStore.create(await handleOf(scope, table.id), { name: 'pen', price: 3 });
    await cutBeforeConfirm(async () =>
      rowStore.delete(await handleOf(scope, table.id), rowStore.keyOf(table, result) ?? ''),
    );
    await settle();
    const deleted = (await told()).find(({ op }) => op === 'delete');
    await expect(rowStore.undo(scope, deleted?.operationId ?? '')).rejects.toMatchObject({
      status: 409,
      code: 'UNDO_UNKNOWN',
    });
    expect(await rowStore.count(await handleOf(scope, table.id), {})).toBe(0);
    await dispose();
  });

  test('is not made a second time by a repetition of its call, whatever cut it off', async () => {
    const { rowStore, handleOf, scope, table, settle, cutBeforeConfirm, cutBeforeData, ...path } =
      await start();
    const { metadata, calls } = path;
    const idempotency = createIdempotency({ metadata, calls, onError() {} });
    // Another server.
    const others = new WrittenCalls(metadata);
    const asked = createIdempotency({ metadata, calls: others, onError() {} });
    const create = async () => rowStore.create(await handleOf(scope, table.id), { name: 'pen' });
    const callOf = (key: string) => ({
      requestId: scope.requestId,
      key,
      principal: 'us_1',
      method: 'POST',
      path: '/rows',
      bodyHash: 'h',
    });
    /** Runs a call that fails, and gives what its repetitions are told before and after the change is settled. */
    const told = async (key: string, work: () => Promise<unknown>) => {
      const call = await idempotency.begin(callOf(key));
      if (call.kind !== 'run') throw new Error('the key must be free');
      await work();
      await call.abandon();
      // The first server is long gone.
      await age(metadata.database, 60_000);
      const before = await repeated(key);
      await settle();
      return [before, await repeated(key)];
    };
    const repeated = (key: string) =>
      asked.begin(callOf(key)).then(
        ({ kind }) => kind,
        ({ code }) => code as string,
      );
    expect(await told('written', create)).toEqual(['replay', 'replay']);
    expect(await told('unconfirmed', () => cutBeforeConfirm(create))).toEqual([
      'IDEMPOTENCY_RUNNING',
      'replay',
    ]);
    expect(await told('not made', () => cutBeforeData(create))).toEqual(['IDEMPOTENCY_RUNNING', 'run']);
    const forgotten = await idempotency.begin(callOf('given up'));
    await cutBeforeData(create);
    if (forgotten.kind === 'run') await forgotten.abandon();
    await age(metadata.database, 11 * 60_000);
    expect(await repeated('given up')).toBe('run');
    // What is found out of the first call frees nothing that its repetition holds.
    await settle();
    expect(await repeated('given up')).toBe('IDEMPOTENCY_RUNNING');
    expect(await rowStore.count(await handleOf(scope, table.id), {})).toBe(2);
    await path.dispose();
  });
});

describeEachMetadata('an idempotency key', (open) => {
  const call = { requestId: 'r1', key: 'k', principal: 'us_1', method: 'POST', path: '/rows', bodyHash: 'h' };
  const answer = { status: 201, headers: { 'x-a': '1' }, body: '{"Id":1}' };

  async function start() {
    const path = await createDataPath(await open());
    const failures: unknown[] = [];
    const { metadata, schema, access, newProject, handleOf } = path;
    /** One server, which never says on its own that its calls run unless it is told how often. */
    const server = (beatEvery = 2 ** 31 - 1, calls = new WrittenCalls(metadata)) =>
      createIdempotency({ metadata, calls, onError: (error) => void failures.push(error), beatEvery });
    /** A table, and a call to which the writes of its handle belong. */
    const tableOfCall = async () => {
      const table = await schema.createTable(await newProject('Atlas'), {
        title: 'Once',
        columns: [
          { title: 'Id', type: 'ID' },
          { title: 'Name', type: 'SingleLineText' },
        ],
      });
      const handle = await handleOf(access.systemScope(table.projectId, 'test'), table.id);
      return { handle, mine: { ...call, requestId: handle.scope.requestId } };
    };
    return {
      ...path,
      idempotency: server(undefined, path.calls),
      server,
      failures,
      tableOfCall,
      pass: (milliseconds: number) => age(metadata.database, milliseconds),
    };
  }

  test('gives the first answer again and runs nothing twice', async () => {
    const { idempotency, dispose } = await start();
    const first = await idempotency.begin(call);
    if (first.kind !== 'run') throw new Error('the first call must run');
    await expect(idempotency.begin(call)).rejects.toMatchObject({ status: 409 });
    await first.finish(answer);
    expect(await idempotency.begin(call)).toEqual({ kind: 'replay', ...answer });
    for (const other of [{ bodyHash: 'other' }, { path: '/other' }, { method: 'PATCH' }]) {
      await expect(idempotency.begin({ ...call, ...other })).rejects.toMatchObject({ status: 422 });
    }
    expect((await idempotency.begin({ ...call, principal: 'us_2' })).kind).toBe('run');
    await dispose();
  });

  test('lets exactly one of many twins run, also of those that find a call which was cut off', async () => {
    const { server, pass, dispose } = await start();
    const servers = Array.from({ length: 8 }, () => server());
    for (const round of ['first', 'repeated']) {
      const outcomes = await Promise.allSettled(servers.map((each) => each.begin(call)));
      expect([round, outcomes.filter(({ status }) => status === 'fulfilled')]).toEqual([
        round,
        [expect.objectContaining({ value: expect.objectContaining({ kind: 'run' }) })],
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 });
      }
      // Another process asks the second time.
      servers.splice(0, servers.length, ...servers.map(() => server()));
      await pass(31_000);
    }
    await dispose();
  });

  test('counts time by the clock of the database, whatever those of the servers say', async () => {
    const { server, metadata, dispose } = await start();
    const clock = jest.spyOn(Date, 'now');
    const ahead = () => void clock.mockReturnValue(performance.timeOrigin + 25 * 60 * 60 * 1000);
    const behind = () => void clock.mockReturnValue(1000);
    try {
      behind();
      const first = await server().begin(call);
      ahead();
      await expect(server().begin(call)).rejects.toMatchObject({ status: 409 });
      if (first.kind === 'run') await first.finish(answer);
      await sweepIdempotency(metadata);
      expect((await server().begin(call)).kind).toBe('replay');
      const second = { ...call, key: 'second' };
      await server().begin(second);
      behind();
      await expect(server().begin(second)).rejects.toMatchObject({ status: 409 });
    } finally {
      clock.mockRestore();
    }
    await dispose();
  });

  test('leaves a server that stalled nothing to write, to free or to answer once its repetition runs', async () => {
    const { idempotency: stalled, server, pass, tableOfCall, rowStore, dispose } = await start();
    const { handle, mine } = await tableOfCall();
    const late = await stalled.begin(mine);
    await pass(31_000);
    const repetition = await server().begin(call);
    if (late.kind !== 'run' || repetition.kind !== 'run') throw new Error('both must run');
    await expect(rowStore.create(handle, { Name: 'late' })).rejects.toMatchObject({
      code: 'CALL_TAKEN_OVER',
      status: 409,
    });
    expect(await rowStore.count(handle, {})).toBe(0);
    await late.finish({ ...answer, body: 'late' });
    await expect(server().begin(call)).rejects.toMatchObject({ status: 409 });
    await late.abandon();
    await expect(server().begin(call)).rejects.toMatchObject({ status: 409 });
    await repetition.finish(answer);
    expect(await server().begin(call)).toEqual({ kind: 'replay', ...answer });
    await dispose();
  });

  test('is done with the row that its call writes, even if the answer is never kept', async () => {
    const { idempotency, failures, metadata, tableOfCall, rowStore, dispose } = await start();
    const { handle, mine } = await tableOfCall();
    const refused = await idempotency.begin(mine);
    await expect(rowStore.createMany(handle, [{ Id: 1 }, { Id: 1 }])).rejects.toMatchObject({ status: 400 });
    if (refused.kind === 'run') await refused.abandon();
    const written = await idempotency.begin(mine);
    if (written.kind !== 'run') throw new Error('a call that wrote nothing must be free');
    await rowStore.create(handle, { Name: 'once' });
    const { write } = metadata.database;
    metadata.database.write = () => Promise.reject(new Error('disk full'));
    await written.finish(answer);
    metadata.database.write = write;
    expect(failures).toEqual([new Error('disk full')]);
    const again = await idempotency.begin(mine);
    expect(again).toEqual({ kind: 'replay', status: 200, headers: {}, body: '' });
    await written.abandon();
    expect((await idempotency.begin(mine)).kind).toBe('replay');
    expect(await rowStore.count(handle, {})).toBe(1);
    await dispose();
  });

  test('is held by a call that runs for long, on its own server and on another', async () => {
    const { server, metadata, pass, dispose } = await start();
    const [here, there] = [server(1), server()];
    const signOfLife = async () => {
      const row = await metadata.database.read((unit) =>
        unit.first<{ created_at: number | string }>(unit.knex('trellis_idempotency').select('created_at')),
      );
      return Number(row?.created_at);
    };
    const first = await here.begin(call);
    const begun = await signOfLife();
    await pass(60 * 60 * 1000);
    await expect(here.begin(call)).rejects.toMatchObject({ status: 409 });
    while ((await signOfLife()) < begun) await setImmediate();
    await expect(there.begin(call)).rejects.toMatchObject({ status: 409 });
    if (first.kind === 'run') await first.abandon();
    expect((await there.begin(call)).kind).toBe('run');
    await dispose();
  });

  test('is free again after a failure, half a minute after its server died, and after a day', async () => {
    const { idempotency: killed, server, pass, dispose } = await start();
    const failed = await killed.begin(call);
    if (failed.kind === 'run') await failed.abandon();
    expect((await killed.begin(call)).kind).toBe('run');
    const idempotency = server();
    await pass(29_000);
    await expect(idempotency.begin(call)).rejects.toMatchObject({ status: 409 });
    await pass(2000);
    const again = await idempotency.begin(call);
    if (again.kind !== 'run') throw new Error('an abandoned key must be free');
    await again.finish(answer);
    await pass(23 * 60 * 60 * 1000);
    expect((await idempotency.begin(call)).kind).toBe('replay');
    await pass(60 * 60 * 1000 + 1);
    expect((await idempotency.begin(call)).kind).toBe('run');
    await dispose();
  });
});
