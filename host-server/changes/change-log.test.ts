import { expect, jest, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { AuditFilter, AuditLog, Change, LinkSchema } from '@trellis/sdk/server';
import { RoleScope } from '../access/rights/access-scope.ts';
import { DatabaseError } from '../databases/index.ts';
import { describeEachMetadata } from '../metadata/testing.ts';
import { createAuditLog } from './audit-log.ts';
import { changesOfOperation, entriesLinking, rowHistory } from './read-log.ts';
import type { RowChange } from './row-change.ts';
import { inParts } from '../sql/in-parts.ts';
import { SettledLog } from './settled-log.ts';
import { author, createTestLog, loggedTable } from './testing.ts';

const systemScope = (projectId: string | undefined) =>
  new RoleScope({
    principal: { kind: 'system', id: '', email: '', accountRoles: ['super'] },
    projectId,
    roles: [],
    requestId: 'r1',
    permissions: new Registry({ id: 'permissions', absentPolicy: 'denied' }),
  });
const scope = systemScope('p_1');
const tableOf = (id: string, links: readonly Partial<LinkSchema>[] = []) =>
  loggedTable({ id, title: id, links });

const insertion = (key: string, name: string | null): RowChange => ({
  op: 'insert',
  rowKey: key,
  before: undefined,
  after: { cl_id: key, cl_name: name },
});
const update = (key: string, before: RowChange['before'], after: RowChange['after']): RowChange => ({
  op: 'update',
  rowKey: key,
  before,
  after,
});

describeEachMetadata('the change log', (open) => {
  async function start() {
    const { database, metadata, log, count } = await createTestLog(await open());
    const audit: AuditLog = createAuditLog(metadata, { log, bus: { publish: () => undefined } });

    async function write(tables: Readonly<Record<string, readonly RowChange[]>>) {
      const operation = log.begin(author);
      const recording = log.record(
        operation,
        Object.entries(tables).map(([id, changes]) => ({ table: tableOf(id), changes })),
      );
      const changes = await database.write(async (unit) =>
        recording.recorded(await unit.batch(recording.statements)).changes(),
      );
      return { operation, changes };
    }
    const history = async (key: string, page = { limit: 10 }) =>
      (await rowHistory(metadata, { tableId: 'md_1', key }, page)).map(({ change }) => change);

    return { database, metadata, log, audit, count, write, history, settled: new SettledLog(metadata) };
  }

  test('keeps the rows of one call together and gives back what was written, in its order', async () => {
    const { write, metadata, count } = await start();
    const changes = Array.from({ length: 1200 }, (_, index) => insertion(String(index + 1), `n${index}`));
    const { operation, changes: made } = await write({ md_1: changes });
    expect(await count('trellis_log_entry')).toBe(3);
    // Keys that the database counted need no row of the index.
    expect(await count('trellis_log_row')).toBe(0);
    expect(made.map(({ op, rowKey, before, after }) => ({ op, rowKey, before, after }))).toEqual(changes);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1200);
    const place = { projectId: 'p_1', operationId: operation.id };
    expect(await changesOfOperation(metadata, place)).toEqual(made);
    expect(await changesOfOperation(metadata, { ...place, projectId: 'p_2' })).toEqual([]);
  });

  test('bounds an entry by its size, and keeps a row that is larger than an entry', async () => {
    const { write, metadata, count } = await start();
    const long = 'x'.repeat(150_000);
    const changes = ['7', '3', '9'].map((key) => insertion(key, key === '9' ? long.repeat(3) : long));
    const { operation } = await write({ md_1: changes });
    expect(await count('trellis_log_entry')).toBe(2);
    const read = await changesOfOperation(metadata, { projectId: 'p_1', operationId: operation.id });
    expect(read.map(({ after }) => after)).toEqual(changes.map(({ after }) => after));
  });

  test('remembers rows that changed in unlike columns, and tables that changed together', async () => {
    const { write, metadata } = await start();
    const mixed = [
      update('1', { cl_a: 1 }, { cl_a: 2 }),
      update('2', { cl_b: null, cl_a: 'x' }, { cl_b: [1, { deep: true }], cl_a: null }),
      update('3', undefined, { cl_c: '' }),
    ];
    const gone: RowChange = { op: 'delete', rowKey: 'k', before: { cl_z: 0 }, after: undefined };
    const { operation, changes } = await write({ md_1: mixed, md_2: [gone] });
    const read = await changesOfOperation(metadata, { projectId: 'p_1', operationId: operation.id });
    expect(read).toEqual(changes);
    const bare = ({ op, rowKey, before, after }: Change) => ({ op, rowKey, before, after });
    expect(read.map(bare)).toEqual([...mixed, gone]);
    expect(read.map(({ tableId }) => tableId)).toEqual(['md_1', 'md_1', 'md_1', 'md_2']);
  });

  test('tells the history of a row, the newest first, also of counted and of very long keys', async () => {
    const { write, history } = await start();
    const long = `${'k'.repeat(300)}1`;
    await write({ md_1: Array.from({ length: 600 }, (_, index) => insertion(String(index + 1), null)) });
    await write({ md_1: [insertion(long, 'a'), insertion(`${long}2`, 'b')] });
    for (const key of ['1', '500', '501', '600', long])
      await write({
        md_1: [update(key, { cl_name: null }, { cl_name: 'x' }), update('2', {}, { cl_name: 'y' })],
      });
    await write({ md_2: [update('500', {}, { cl_name: 'elsewhere' })] });
    for (const key of ['1', '500', '501', '600', long]) {
      const changes = await history(key);
      expect(changes.map(({ op }) => op)).toEqual(['update', 'insert']);
      expect(changes[0]).toMatchObject({
        actorEmail: 'ann@example.com',
        rowKey: key,
        after: { cl_name: 'x' },
      });
    }
    expect(await history('601')).toEqual([]);
    expect(await history('0500')).toEqual([]);
    expect(await history('2', { limit: 3 })).toHaveLength(3);
  });

  test('names the rows that others link once for an entry, however many link them', async () => {
    const { database, metadata, log, count } = await start();
    const links = [{ kind: 'belongsTo', columnIds: ['cl_b', 'cl_a'], toTableId: 'md_9' }] as const;
    const write = async (changes: readonly RowChange[]) => {
      const recording = log.record(log.begin(author), [{ table: tableOf('md_1', links), changes }]);
      await database.write((unit) => unit.batch(recording.statements));
    };
    const row = (index: number): RowChange => ({
      op: 'insert',
      rowKey: String(index + 1),
      before: undefined,
      after: { cl_a: index % 2, cl_b: index === 0 ? null : 'x' },
    });
    await write(Array.from({ length: 1200 }, (_, index) => row(index)));
    expect(await count('trellis_log_row')).toBe(0);
    expect(await count('trellis_log_link')).toBe(6);
    await write([
      update('1', { cl_a: 0, cl_b: null }, { cl_a: 0, cl_b: 'y' }),
      update('2', { cl_name: 'a' }, { cl_name: 'b' }),
      update('3', { cl_name: 'a', cl_b: 'x', cl_a: 0 }, { cl_name: 'b', cl_b: null, cl_a: 0 }),
    ]);
    const entries = async (...keys: readonly string[]) => {
      const found: (readonly [op: string, part: number])[] = [];
      for await (const { op, part } of entriesLinking(metadata, { tableId: 'md_9', keys }, { limit: 10 }))
        found.push([op, part]);
      return found;
    };
    const inserts = [2, 1, 0].map((part) => ['insert', part]);
    expect(await entries('x___1')).toEqual(inserts);
    expect(await entries('x___0')).toEqual([['update', 0], ...inserts]);
    expect(await entries('y___0', 'x___1')).toEqual([['update', 0], ...inserts]);
    expect(await entries('x___2')).toEqual([]);
  });

  test('gives the entries that tell of links in parts, as they are asked for', async () => {
    const { database, metadata, log } = await start();
    const links = [{ kind: 'belongsTo', columnIds: ['cl_b'], toTableId: 'md_9' }] as const;
    const changes = [update('1', { cl_b: null }, { cl_b: 7 })];
    const calls = Array.from({ length: 101 }, () => ({ table: tableOf('md_1', links), changes }));
    const { statements } = log.record(log.begin(author), calls);
    await database.write((unit) => unit.batch(statements));
    const read = jest.spyOn(database, 'read');
    const entries = entriesLinking(metadata, { tableId: 'md_9', keys: ['7'] }, { limit: 200 });
    const first = await entries.next();
    // Where they are, and the first ones of them.
    expect([first.done, read.mock.calls.length]).toEqual([false, 2]);
    let others = 0;
    for await (const { rows } of entries) others += rows.length;
    expect([others, read.mock.calls.length]).toEqual([100, 3]);
    read.mockRestore();
  });

  test('pages the history of a row by the place of a change', async () => {
    const { write, metadata } = await start();
    await write({ md_1: [insertion('1', 'a')] });
    for (const name of ['b', 'c', 'd']) await write({ md_1: [update('1', {}, { cl_name: name })] });
    const names: unknown[] = [];
    let before: number | undefined;
    for (;;) {
      const page = await rowHistory(metadata, { tableId: 'md_1', key: '1' }, { limit: 1, before });
      const [entry] = page;
      if (entry === undefined) break;
      names.push(entry.change.after?.['cl_name']);
      before = entry.seq;
    }
    expect(names).toEqual(['d', 'c', 'b', 'a']);
  });

  test('is read by the audit: rows, schema and events in one order, a call as one line', async () => {
    const { write, audit, log, database } = await start();
    await write({ md_1: Array.from({ length: 1001 }, (_, index) => insertion(String(index + 1), null)) });
    await database.write((unit) =>
      log.recordSchemaChange(unit, {
        scope: author,
        auditType: 'TABLE',
        auditSubType: 'CREATED',
        projectId: 'p_1',
        tableId: 'md_1',
        description: 'table Cities has been created',
      }),
    );
    await audit.record({
      type: 'PLUGIN',
      subType: 'SETTINGS',
      principal: author.principal,
      ip: '::1',
      projectId: 'p_1',
      description: 'changed the settings',
    });
    await write({ md_1: [update('5', { cl_name: null }, { cl_name: 'x' })] });
    await audit.record({ type: 'AUTHENTICATION', principal: author.principal, description: 'signed in' });
    const lines = await audit.list(scope, { limit: 10, offset: 0 });
    expect(lines.map(({ type, subType, rowKey }) => [type, subType, rowKey])).toEqual([
      ['DATA', 'UPDATE', '5'],
      ['PLUGIN', 'SETTINGS', undefined],
      ['TABLE', 'CREATED', undefined],
      ['DATA', 'BULK_INSERT', undefined],
    ]);
    expect(lines[3]?.description).toContain('1001 rows bulk inserted into');
    expect(lines[1]).toMatchObject({ ip: '::1', principal: author.principal });
    expect(await audit.count(scope)).toBe(4);
    expect(await audit.list(scope, { limit: 1, offset: 1 })).toEqual([lines[1]]);
  });

  test('is looked through for the audit beside the short reads of others, and not without end', async () => {
    const { audit, database } = await start();
    const read = jest.spyOn(database, 'read');
    await audit.list(scope, { limit: 10, offset: 0 });
    await audit.list(scope, { limit: 10, offset: 0 }, { email: 'bob@example.com' });
    await audit.count(scope);
    const share = { timeoutMs: 10_000, share: 'p_1' };
    expect(read.mock.calls.map(([, options]) => options)).toEqual([
      { ...share, work: 'page' },
      { ...share, work: 'long' },
      { ...share, work: 'long' },
    ]);
    read.mockRestore();
  });

  test('shows a page of the audit though nobody can count its lines in time, or has counted all of them', async () => {
    const { audit, database } = await start();
    const line = { type: 'PLUGIN', principal: author.principal, projectId: 'p_1', description: 'done' };
    for (let lines = 0; lines < 3; lines += 1) await audit.record(line);
    const pageAt = async (offset: number) => {
      const { records, ...counted } = await audit.page(scope, { limit: 2, offset });
      return { ...counted, shown: records.length };
    };
    expect(await pageAt(0)).toEqual({ shown: 2, totalRows: 3, isAtLeast: false });
    const { read } = database;
    let counts = 0;
    const late = jest.spyOn(database, 'read').mockImplementation(async (work, options) => {
      const isCount = options?.work === 'long';
      if (!isCount) return read.call(database, work, options) as never;
      counts += 1;
      throw new DatabaseError('timeout');
    });
    expect(await pageAt(0)).toEqual({ shown: 2, totalRows: 3, isAtLeast: true });
    expect(await pageAt(2)).toEqual({ shown: 1, totalRows: 3, isAtLeast: false });
    expect(counts).toBe(2);
    late.mockRestore();

    const many = Array.from({ length: 10_010 }, (_, index) => ({
      operation_id: `many-${index}`,
      kind: 'event',
      op: 'insert',
      actor_id: 'us_1',
      actor_email: 'ann@example.com',
      project_id: 'p_1',
      origin: 'call',
      at: Date.now(),
      part: 0,
      total: 1,
    }));
    for (const entries of inParts(many, 50))
      await database.write((unit) => unit.run(unit.knex('trellis_log_entry').insert(entries)));
    expect(await pageAt(0)).toEqual({ shown: 2, totalRows: 10_002, isAtLeast: true });
    expect(await pageAt(100)).toEqual({ shown: 2, totalRows: 10_013, isAtLeast: false });
  });

  test('is read by the audit of a person, a kind, a table and a time alone', async () => {
    const { write, audit, log, database } = await start();
    const bob = { id: 'us_2', email: 'bob@example.com' };
    await write({ md_1: [insertion('1', null)] });
    await write({ md_2: [insertion('1', null), insertion('2', null)] });
    for (const auditType of ['TABLE', 'TABLE_COLUMN'])
      await database.write((unit) =>
        log.recordSchemaChange(unit, {
          scope: author,
          auditType,
          auditSubType: 'CREATED',
          projectId: 'p_1',
          tableId: 'md_1',
          description: '{"type":"PROJECT"',
        }),
      );
    await audit.record({ type: 'TABLE', principal: bob, projectId: 'p_1', description: '' });
    await audit.record({ type: 'TABLE', principal: bob, projectId: 'p_2', description: '' });
    const found = async (filter: AuditFilter) => {
      const lines = await audit.list(scope, { limit: 10, offset: 0 }, filter);
      expect(await audit.count(scope, filter)).toBe(lines.length);
      return lines.map(({ type, tableId, principal }) => `${type} ${tableId ?? ''} ${principal.email}`);
    };
    const { email } = author.principal;
    expect(await found({ email: bob.email })).toEqual([`TABLE  ${bob.email}`]);
    expect(await found({ type: 'TABLE' })).toEqual([`TABLE  ${bob.email}`, `TABLE md_1 ${email}`]);
    expect(await found({ type: 'TABLE', email })).toEqual([`TABLE md_1 ${email}`]);
    expect(await found({ type: 'TABLE_COLUMN' })).toEqual([`TABLE_COLUMN md_1 ${email}`]);
    expect(await found({ type: 'DATA' })).toEqual([`DATA md_2 ${email}`, `DATA md_1 ${email}`]);
    expect(await found({ type: 'DATA', tableId: 'md_2' })).toEqual([`DATA md_2 ${email}`]);
    for (const type of ['PROJECT', 'TABLE%', '%', '"']) expect(await found({ type })).toEqual([]);
    const [last] = await audit.list(scope, { limit: 1, offset: 0 });
    expect(await found({ from: (last?.at ?? 0) + 1 })).toEqual([]);
    expect(await found({ until: (last?.at ?? 0) + 1 })).toHaveLength(5);
    expect(await found({ from: 0, until: 1 })).toEqual([]);
    const [bulk] = await audit.list(scope, { limit: 1, offset: 0 }, { tableId: 'md_2' });
    expect(bulk).toMatchObject({ rowCount: 2, rowKey: undefined });
  });

  test('is read by the audit of the server without projects, and without numbers that were given to nobody', async () => {
    const { write, audit, log, database, metadata } = await start();
    await write({ md_1: [insertion('1', null)] });
    const undone = log.record(log.begin(author), [
      { table: tableOf('md_1'), changes: [insertion('2', null)] },
    ]);
    const rolledBack = new Error('rolled back');
    const failing = database.write(async (unit) => {
      await unit.batch(undone.statements);
      throw rolledBack;
    });
    await expect(failing).rejects.toBe(rolledBack);
    await audit.record({ type: 'AUTHENTICATION', principal: author.principal, description: 'signed in' });
    let now = Date.now();
    const late = new SettledLog(metadata, () => (now += 3_600_000));
    // Once to see that a number is missing, and later to take it.
    await late.after(0);
    await late.after(0);
    const lines = await audit.list(systemScope(undefined), { limit: 10, offset: 0 });
    expect(lines.map(({ description }) => description)).toEqual(['signed in']);
    expect(await audit.count(systemScope(undefined))).toBe(1);
  });

  test('shows a reader with a place every entry once, while many write and some roll back', async () => {
    const { database, log, settled } = await start();
    const written = new Set<string>();
    let isWriting = true;
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (let turn = 0; turn < 16; turn += 1) {
        const key = `${lane}-${turn}`;
        const recording = log.record(log.begin(author), [
          { table: tableOf(`md_${lane}`), changes: [insertion(key, null)] },
        ]);
        const isRolledBack = turn % 8 === 3;
        await database
          .write(async (unit) => {
            await unit.batch(recording.statements);
            // Others take their turn between the number and the commit.
            for (let wait = 0; wait < (lane * turn) % 5; wait += 1)
              await unit.all(unit.knex('trellis_setting').select('key'));
            if (isRolledBack) throw new Error('rolled back');
          })
          .catch((error: unknown) => {
            if (!isRolledBack) throw error;
          });
        if (!isRolledBack) written.add(key);
      }
    });
    const writing = Promise.all(lanes).finally(() => {
      isWriting = false;
    });
    const seen: string[] = [];
    let place = 0;
    for (let isLast = false; !isLast;) {
      isLast = !isWriting && (await settled.newest()) === place;
      const { heads, to } = await settled.after(place);
      for await (const { rows } of settled.load(heads)) seen.push(...rows.map(([key]) => key));
      expect(to).toBeGreaterThanOrEqual(place);
      place = to;
    }
    await writing;
    expect(seen).toHaveLength(written.size);
    expect(new Set(seen)).toEqual(written);
  });

  test('is not read past a transaction that is open, however long', async () => {
    const { database, log, settled, write, metadata } = await start();
    if (!database.dialect.statements.locksRows) return;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = log.record(log.begin(author), [
      { table: tableOf('md_1'), changes: [insertion('slow', null)] },
    ]);
    const writing = database.write(async (unit) => {
      await unit.batch(slow.statements);
      begun();
      await finished;
    });
    await hasBegun;
    await write({ md_2: [insertion('quick', null)] });
    const late = new SettledLog(metadata, () => Date.now() + 3_600_000);
    expect((await settled.after(0)).heads).toEqual([]);
    expect((await late.after(0)).heads).toEqual([]);
    finish();
    await writing;
    expect((await settled.after(0)).heads.map(({ tableId }) => tableId)).toEqual(['md_1', 'md_2']);
  });
});
