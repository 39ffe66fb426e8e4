import { expect, test } from '@jest/globals';
import type { OutboxEvent, OutboxSubscription, TableSchema } from '@trellis/sdk/server';
import { askUntil } from '@trellis/sdk/testing/server';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import { ChangeLog } from '../change-log.ts';
import { pruneChanges } from '../retention/prune.ts';
import type { RowChange } from '../row-change.ts';
import { author, createTestLog, loggedTable } from '../testing.ts';
import { HostBackground } from '../../runtime/background/host-background.ts';
import { createOutbox } from './outbox.ts';

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const table = loggedTable();
const day = 24 * 60 * 60 * 1000;

const change = (op: RowChange['op'], rowKey: string, name = ''): RowChange => ({
  op,
  rowKey,
  before: op === 'insert' ? undefined : { cl_name: '' },
  after: op === 'delete' ? undefined : { cl_name: name },
});

describeEachMetadata('the outbox', (open) => {
  async function start() {
    const { database, metadata, log } = await createTestLog(await open());
    let time = Date.now();
    const clock = { now: () => time, every: 1_000_000, background: new HostBackground() };
    const outbox = createOutbox({ metadata, log, logger, ...clock });

    function write(...changes: readonly RowChange[]): Promise<void> {
      return writeTo(table, ...changes);
    }

    async function writeTo(of: TableSchema, ...changes: readonly RowChange[]): Promise<void> {
      const recording = log.record(log.begin(author), [{ table: of, changes }]);
      await database.write(async (unit) => {
        await unit.batch(recording.statements);
        unit.afterCommit(() => log.committed());
      });
    }

    /** Subscribes with a topic that begins now; what was delivered stands in `heard`. */
    async function subscribe(given: Partial<OutboxSubscription> = {}, at = outbox) {
      const heard: OutboxEvent[] = [];
      const subscription = at.subscribe({
        id: 'test',
        deliver: async (event) => void heard.push(event),
        ...given,
      });
      await at.settle();
      return { heard, subscription, names: () => heard.map(({ change: of }) => of.after?.['cl_name']) };
    }

    return {
      database,
      metadata,
      log,
      outbox,
      write,
      writeTo,
      subscribe,
      another: () => createOutbox({ metadata, log: new ChangeLog(metadata), logger, ...clock }),
      pass: (ms: number) => void (time += ms),
    };
  }

  test('delivers one event for each row of a bulk write, and only what the topic asks for', async () => {
    const { write, subscribe, outbox } = await start();
    await write(change('insert', 'x', 'before'));
    const { heard, subscription } = await subscribe({ filter: ({ op }) => op !== 'delete' });
    await write(...Array.from({ length: 1100 }, (_, index) => change('insert', String(index + 1), 'a')));
    await write(change('delete', '5'), change('update', '6', 'b'));
    await outbox.settle();
    expect(heard).toHaveLength(1101);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(1101);
    expect(heard.every(({ id, attempt, change: of }) => id === of.id && attempt === 1)).toBe(true);
    const updates = heard.filter(({ change: of }) => of.op === 'update').map(({ change: of }) => of);
    expect(updates).toEqual([expect.objectContaining({ rowKey: '6', actorEmail: 'ann@example.com' })]);
    expect(await outbox.state('test')).toMatchObject({ waiting: 0 });
    await subscription.dispose();
    await outbox.dispose();
  });

  test('lets what one project wrote in bulk hold up no other project, and delivers each event once', async () => {
    const { write, writeTo, subscribe, outbox } = await start();
    const elsewhere = { ...table, id: 'md_2', projectId: 'p_2', baseId: 'ds_2' } as TableSchema;
    const { heard, names } = await subscribe();
    const keys = Array.from({ length: 12_000 }, (_, index) => String(index + 1));
    await write(...keys.map((key) => change('insert', key, 'bulk')));
    for (const name of ['first', 'second']) await writeTo(elsewhere, change('update', '1', name));
    await outbox.settle();
    expect(names().indexOf('first')).toBeGreaterThan(-1);
    expect(names().indexOf('first')).toBeLessThan(2000);
    expect(names().filter((name) => name !== 'bulk')).toEqual(['first', 'second']);
    expect(heard).toHaveLength(12_002);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(12_002);
    expect(await outbox.isCaughtUp('test')).toBe(true);
    await outbox.dispose();
  });

  test('delivers as many rows at the same time as the subscriber takes', async () => {
    const { write, subscribe, outbox } = await start();
    let underWay = 0;
    let most = 0;
    await subscribe({
      rowsAtOnce: 100,
      async deliver() {
        most = Math.max(most, (underWay += 1));
        await new Promise(setImmediate);
        underWay -= 1;
      },
    });
    await write(...Array.from({ length: 300 }, (_, index) => change('insert', String(index + 1), 'a')));
    await outbox.settle();
    expect(most).toBe(100);
    await outbox.dispose();
  });

  test('passes over what stands in tables that nobody asks for, and hears of one as soon as it is asked for', async () => {
    const { write, writeTo, subscribe, outbox } = await start();
    const other = { ...table, id: 'md_2' } as TableSchema;
    const wanted = new Set<string>();
    const { names } = await subscribe({ tables: async () => new Set(wanted) });
    const writeOther = (name: string) => writeTo(other, change('insert', name, name));
    await write(change('insert', '1', 'unread'));
    await outbox.settle();
    expect(await outbox.isCaughtUp('test')).toBe(true);
    wanted.add('md_2');
    for (let turn = 0; turn < 30; turn += 1) {
      await write(change('insert', `k${turn}`, 'unread'));
      await writeOther(`o${turn}`);
    }
    await outbox.settle();
    expect(names()).toHaveLength(30);
    expect(new Set(names())).toEqual(new Set(Array.from({ length: 30 }, (_, turn) => `o${turn}`)));
    expect(await outbox.isCaughtUp('test')).toBe(true);
    await outbox.dispose();
  });

  test('tries a failure again later under the same id, keeps the order of its row and lets others pass', async () => {
    const { write, subscribe, outbox, pass } = await start();
    let isDown = true;
    const tried: string[] = [];
    await subscribe({
      async deliver({ id, attempt, change: { rowKey, after } }) {
        tried.push(`${rowKey} ${JSON.stringify(after?.['cl_name'])} ${attempt} ${id}`);
        if (isDown && rowKey === '1') throw new Error('nobody answers');
      },
    });
    const seen = () => tried.map((line) => line.split(' ').slice(0, 3).join(' '));
    await write(change('update', '1', 'a'), change('update', '2', 'a'), change('update', '1', 'b'));
    await write(change('update', '1', 'c'));
    await outbox.settle();
    expect(seen().toSorted()).toEqual(['1 "a" 1', '2 "a" 1']);
    expect(await outbox.state('test')).toMatchObject({ waiting: 3 });
    pass(9000);
    await outbox.settle();
    expect(tried).toHaveLength(2);
    pass(1000);
    isDown = false;
    await outbox.settle();
    expect(seen().slice(2)).toEqual(['1 "a" 2', '1 "b" 1', '1 "c" 1']);
    const ids = tried.filter((line) => line.startsWith('1 "a"')).map((line) => line.split(' ')[3]);
    expect(new Set(ids).size).toBe(1);
    expect(await outbox.state('test')).toMatchObject({ waiting: 0 });
    const deliveries = await outbox.deliveries('test', { limit: 10 });
    expect(deliveries).toHaveLength(5);
    expect(deliveries.filter(({ outcome }) => outcome === 'failed')).toEqual([
      expect.objectContaining({ eventId: ids[0], attempt: 1, error: 'nobody answers' }),
    ]);
    await outbox.dispose();
  });

  test('delivers the events of a row in their order, also where its database may be asked again in the middle of a look', async () => {
    const { write, subscribe, outbox, pass } = await start();
    let isAway = true;
    let looks = 0;
    const heard: unknown[] = [];
    await subscribe({
      tables() {
        // The first look asks whether there is something to do, the second one does it.
        if (!isAway && (looks += 1) === 2) pass(2);
        return Promise.resolve(new Set([table.id]));
      },
      deliver({ change: of }) {
        if (isAway) return Promise.reject(new DatabaseError('unreachable'));
        heard.push(of.after?.['cl_name']);
        return Promise.resolve();
      },
    });
    await write(change('insert', '1', 'first'));
    await outbox.settle();
    isAway = false;
    pass(4999);
    await write(change('update', '1', 'second'));
    await outbox.settle();
    expect(looks).toBeGreaterThan(1);
    pass(60_000);
    await outbox.settle();
    expect(heard).toEqual(['first', 'second']);
  });

  test('keeps what belongs to a database that is away until it is back, and lets everything else pass', async () => {
    const { write, writeTo, subscribe, outbox, pass } = await start();
    const other = { ...table, id: 'md_2', baseId: 'ds_2' } as TableSchema;
    let isAway = true;
    let tries = 0;
    const told: string[] = [];
    await subscribe({
      async deliver({ attempt, change: { baseId, rowKey, after } }) {
        if (baseId === 'ds_2' && isAway) {
          tries += 1;
          throw new DatabaseError('unreachable');
        }
        told.push(`${baseId} ${rowKey} ${after?.['cl_name'] as string} ${attempt}`);
      },
    });
    const keys = Array.from({ length: 1200 }, (_, index) => String(index + 1));
    await writeTo(other, ...keys.map((key) => change('update', key, 'a')));
    await writeTo(other, ...keys.map((key) => change('update', key, 'b')));
    await write(change('update', '1', 'a'));
    await outbox.settle();
    expect(told).toEqual(['ds_1 1 a 1']);
    // Of many rows only those that were on their way already found out.
    expect(tries).toBeLessThan(10);
    for (let day = 0; day < 30; day += 1) {
      pass(24 * 60 * 60 * 1000);
      await outbox.settle();
    }
    expect(tries).toBeLessThan(40);
    await write(change('update', '1', 'b'));
    await outbox.settle();
    expect(told).toEqual(['ds_1 1 a 1', 'ds_1 1 b 1']);
    expect(await outbox.state('test')).toMatchObject({ waiting: 2400 });

    isAway = false;
    pass(60_000);
    await outbox.settle();
    expect(told).toHaveLength(2402);
    for (const key of keys)
      expect(told.filter((line) => line.startsWith(`ds_2 ${key} `))).toEqual([
        `ds_2 ${key} a 1`,
        `ds_2 ${key} b 1`,
      ]);
    expect(await outbox.state('test')).toMatchObject({ waiting: 0 });
    await outbox.dispose();
  });

  test('goes on for all others while several tables fail in part', async () => {
    const { write, writeTo, subscribe, outbox } = await start();
    const bad = ['md_2', 'md_3', 'md_4'].map((id) => ({ ...table, id }) as TableSchema);
    const told: string[] = [];
    await subscribe({
      deliver({ change: { tableId, rowKey } }) {
        const isBad = tableId !== table.id && Number(rowKey) % 5 !== 0;
        if (isBad) return Promise.reject(new Error('takes too long'));
        told.push(`${tableId} ${rowKey}`);
        return Promise.resolve();
      },
    });
    const keys = Array.from({ length: 500 }, (_, index) => String(index + 1));
    for (const of of bad) await writeTo(of, ...keys.map((key) => change('insert', key, 'bulk')));
    await outbox.settle();
    expect((await outbox.state('test'))?.waiting).toBeGreaterThan(1000);
    await write(change('insert', '1', 'good'));
    await outbox.settle();
    expect(told).toContain(`${table.id} 1`);
    expect(await outbox.isCaughtUp('test')).toBe(true);
    await outbox.dispose();
  });

  test('delivers what a table that fails in part writes, behind however many of its events that wait', async () => {
    const { write, subscribe, outbox, pass } = await start();
    const told = new Set<string>();
    await subscribe({
      deliver({ change: { rowKey = '' } }) {
        if (Number(rowKey) % 5 !== 0) return Promise.reject(new Error('takes too long'));
        told.add(rowKey);
        return Promise.resolve();
      },
    });
    const keys = Array.from({ length: 1400 }, (_, index) => String(index + 1));
    await write(...keys.map((key) => change('insert', key, 'a')));
    await outbox.settle();
    await write(change('insert', '1405', 'b'), change('update', '4', 'b'));
    await outbox.settle();
    expect(told.has('1405')).toBe(true);
    expect(await outbox.state('test')).toMatchObject({ waiting: 1121 });
    // All of them are due, and fail: the table is held back, until something new of it goes through.
    pass(10_000);
    await outbox.settle();
    await write(change('insert', '1410', 'c'));
    await outbox.settle();
    expect(told.has('1410')).toBe(false);
    pass(70_000);
    await outbox.settle();
    expect(told.has('1410')).toBe(true);
    await outbox.dispose();
  });

  test('parks an event that fails for days, goes on with the others of its row, and tries it again each day until it is gone', async () => {
    const { write, subscribe, outbox, pass, metadata } = await start();
    let isDown = true;
    let tries = 0;
    const lost: unknown[] = [];
    const told: string[] = [];
    await subscribe({
      async deliver({ change: { rowKey, after } }) {
        const name = String(after?.['cl_name'] as string);
        if (name === 'bad') tries += 1;
        if (isDown && name === 'bad') throw new Error('gone');
        told.push(`${rowKey} ${name}`);
      },
      onLost: (events, reason) => void lost.push([events, reason]),
    });
    await write(change('insert', '1', 'bad'));
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await outbox.settle();
      pass(day);
    }
    await write(change('update', '1', 'later'), change('insert', '2', 'good'));
    expect(await outbox.state('test')).toMatchObject({ id: 'test', waiting: 1, parked: 0 });
    await outbox.settle();
    expect(await outbox.state('test')).toMatchObject({ id: 'test', waiting: 0, parked: 1 });
    expect(lost).toEqual([[1, 'parked']]);
    await outbox.settle();
    expect(told.toSorted()).toEqual(['1 later', '2 good']);
    expect(tries).toBe(10);
    pass(day);
    await outbox.settle();
    await outbox.settle();
    expect(tries).toBe(11);
    isDown = false;
    pass(day);
    await outbox.settle();
    expect(told.slice(2)).toEqual(['1 bad']);
    expect(await outbox.state('test')).toMatchObject({ state: 'active', waiting: 0, parked: 0 });

    isDown = true;
    await write(change('insert', '3', 'bad'));
    for (let attempt = 0; attempt < 11; attempt += 1) {
      await outbox.settle();
      pass(day);
    }
    isDown = false;
    await outbox.resume('test');
    await outbox.settle();
    expect(told.slice(3)).toEqual(['3 bad']);

    isDown = true;
    await write(change('insert', '4', 'bad'));
    for (let attempt = 0; attempt < 11; attempt += 1) {
      await outbox.settle();
      pass(day);
    }
    lost.length = 0;
    const options = { days: 90, logger, signal: new AbortController().signal };
    await pruneChanges(metadata, { ...options, now: Date.now() + 91 * day });
    await outbox.settle();
    expect(lost).toEqual([[1, 'pruned']]);
    expect(await outbox.state('test')).toMatchObject({ waiting: 0, parked: 0 });
    await outbox.dispose();
  });

  test.each(['of which everything fails', 'of which every second event fails'])(
    'lets a table %s keep nothing of others back',
    async (which) => {
      const { write, writeTo, subscribe, outbox, pass } = await start();
      const other = { ...table, id: 'md_2', projectId: 'p_2', baseId: 'ds_2' } as TableSchema;
      const isBad = (rowKey: string | undefined) =>
        which.endsWith('everything fails') || Number(rowKey) % 2 === 0;
      let tries = 0;
      let isBroken = true;
      const told: string[] = [];
      await subscribe({
        async deliver({ change: { tableId, rowKey } }) {
          if (tableId === table.id && isBroken && isBad(rowKey)) {
            tries += 1;
            throw new Error('takes too long');
          }
          told.push(`${tableId} ${rowKey}`);
        },
      });
      const keys = Array.from({ length: 3000 }, (_, index) => String(index + 1));
      await write(...keys.map((key) => change('insert', key, 'bulk')));
      await outbox.settle();
      for (let turn = 0; turn < 20; turn += 1) {
        await writeTo(other, change('insert', `k${turn}`, 'other'));
        pass(turn < 10 ? 60_000 : day);
        await outbox.settle();
        expect(told.filter((line) => line.startsWith('md_2'))).toHaveLength(turn + 1);
      }
      if (which.endsWith('everything fails')) expect(tries).toBeLessThan(100);
      isBroken = false;
      await outbox.resume('test');
      pass(day);
      await outbox.settle();
      expect(new Set(told).size).toBe(3020);
      expect(told).toHaveLength(3020);
      expect(await outbox.state('test')).toMatchObject({ waiting: 0, parked: 0 });
      await outbox.dispose();
    },
  );

  test('keeps the place of a topic that nobody subscribes to', async () => {
    const { write, subscribe, outbox } = await start();
    const first = await subscribe();
    await write(change('insert', '1', 'a'));
    await outbox.settle();
    await first.subscription.dispose();
    await write(change('insert', '2', 'b'));
    await outbox.settle();
    const second = await subscribe();
    expect([first.names(), second.names()]).toEqual([['a'], ['b']]);
    await outbox.dispose();
  });

  test('delivers from one server at a time', async () => {
    const { write, subscribe, outbox, another } = await start();
    const other = another();
    const here = await subscribe();
    const there = await subscribe({}, other);
    for (let turn = 0; turn < 8; turn += 1) {
      await write(change('insert', `k${turn}`, String(turn)));
      await Promise.all([outbox.settle(), other.settle()]);
    }
    await outbox.settle();
    await other.settle();
    const all = [...here.names(), ...there.names()];
    expect(all).toHaveLength(8);
    expect(new Set(all)).toEqual(new Set(Array.from({ length: 8 }, (_, turn) => String(turn))));
    await outbox.dispose();
    await other.dispose();
  });

  test('tells a topic that fell behind the retention how much it lost, and goes on with what is left', async () => {
    const { write, subscribe, outbox, metadata } = await start();
    const first = await subscribe();
    await first.subscription.dispose();
    for (const key of ['1', '2', '3']) await write(change('update', key, 'old'));
    const options = { days: 90, logger, signal: new AbortController().signal };
    await pruneChanges(metadata, { ...options, now: Date.now() + 91 * day });
    await write(change('update', '4', 'new'));
    const lost: unknown[] = [];
    const { names } = await subscribe({ onLost: (...told) => void lost.push(told) });
    expect([lost, names()]).toEqual([[[3, 'pruned']], ['new']]);
    await outbox.dispose();
  });

  test('delivers to a new topic what was open when it began', async () => {
    const { database, log, write, subscribe, outbox } = await start();
    // Where one transaction writes at a time, none is open while a topic begins.
    if (!database.dialect.statements.locksRows) return;
    const slow = log.record(log.begin(author), [{ table, changes: [change('update', '1', 'slow')] }]);
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const writing = database.write(async (unit) => {
      await unit.batch(slow.statements);
      begun();
      await finished;
    });
    await hasBegun;
    await write(change('update', '2', 'quick'));
    const { names } = await subscribe();
    finish();
    await writing;
    await outbox.settle();
    expect(names()).toContain('slow');
    await outbox.dispose();
  });

  test('tells a new topic of nothing that was deleted before it began', async () => {
    const { write, subscribe, outbox, metadata } = await start();
    await write(change('update', '1', 'old'));
    const options = { days: 90, logger, signal: new AbortController().signal };
    await pruneChanges(metadata, { ...options, now: Date.now() + 91 * day });
    const lost: unknown[] = [];
    const { names } = await subscribe({ onLost: (...told) => void lost.push(told) });
    await write(change('update', '2', 'new'));
    await outbox.settle();
    expect([lost, names()]).toEqual([[], ['new']]);
    await outbox.dispose();
  });

  test('delivers to a new topic what is written before its turn in the background comes', async () => {
    const { metadata, log, write } = await start();
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const background = {
      run: async <T>(work: () => Promise<T>) => {
        await opened;
        return work();
      },
    };
    const busy = createOutbox({ metadata, log, logger, background, every: 1_000_000 });
    const heard: unknown[] = [];
    busy.subscribe({
      id: 'busy',
      deliver: async ({ change: of }) => void heard.push(of.after?.['cl_name']),
    });
    await askUntil(
      () => busy.state('busy'),
      (state) => state !== undefined,
    );
    await write(change('update', '1', 'early'));
    open();
    await busy.settle();
    expect(heard).toEqual(['early']);
    await busy.dispose();
  });
});
