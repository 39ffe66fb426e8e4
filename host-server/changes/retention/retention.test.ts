import { expect, jest, test } from '@jest/globals';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { rowHistory } from '../read-log.ts';
import type { RowChange, SetChange } from '../row-change.ts';
import { SettledLog } from '../settled-log.ts';
import { createTestLog, loggedTable } from '../testing.ts';
import { forgetColumn, forgetTable } from './forget.ts';
import { pruneChanges, type PruneOptions } from './prune.ts';

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const day = 24 * 60 * 60 * 1000;
const { signal } = new AbortController();

const update = (rowKey: string, cells: RowChange['after']): RowChange => ({
  op: 'update',
  rowKey,
  before: { cl_name: '', cl_secret: 'was there before' },
  after: cells,
});

describeEachMetadata('the retention of the change log', (open) => {
  async function start() {
    const { database, metadata, write: record, count } = await createTestLog(await open());
    const links = [{ kind: 'belongsTo', columnIds: ['cl_owner'], toTableId: 'md_owners' }];
    /** Writes as many entries as there are lists of changes, or more. */
    const writeAll = (id: string, lists: readonly (readonly RowChange[])[]) =>
      record(...lists.map((changes) => ({ table: loggedTable({ id, links }), changes })));
    const recordSet = (set: SetChange) => record({ table: loggedTable({ links }), changes: [], set });
    const write = (tableId: string, ...changes: readonly RowChange[]) => writeAll(tableId, [changes]);
    const history = async (tableId: string, key: string) =>
      (await rowHistory(metadata, { tableId, key }, { limit: 10 })).map(({ change }) => change);
    const settled = new SettledLog(metadata);
    return { database, metadata, count, write, writeAll, recordSet, history, settled };
  }

  test('deletes entries that are old enough, with all that points at them, and goes on counting', async () => {
    const { database, metadata, count, write, settled } = await start();
    for (let turn = 0; turn < 30; turn += 1)
      await write(
        'md_1',
        ...Array.from({ length: 90 }, (_, index) => update(`k${index}`, { cl_name: turn })),
      );
    await database.write((unit) =>
      unit.run(unit.knex('trellis_rate').insert({ name: 'signin', key: 'a', window_start: 5, count: 1 })),
    );
    await write('md_1', update('k1', { cl_owner: 7 }));
    const last = await settled.newest();
    await pruneChanges(metadata, { days: 90, logger, signal, now: Date.now() + 89 * day });
    expect([await count('trellis_log_entry'), await count('trellis_log_row')]).toEqual([31, 2701]);
    expect(await count('trellis_log_link')).toBe(1);
    expect(await count('trellis_rate')).toBe(0);
    await pruneChanges(metadata, { days: 90, logger, signal, now: Date.now() + 91 * day });
    expect([await count('trellis_log_entry'), await count('trellis_log_row')]).toEqual([0, 0]);
    expect(await count('trellis_log_link')).toBe(0);
    await write('md_1', update('k1', { cl_name: 'new' }));
    const { heads, lost } = await settled.after(0);
    expect([heads.map(({ seq }) => seq), lost]).toEqual([[last + 1], last]);
  });

  test('tells of the rows that nothing brings back any more, and of none that is there again', async () => {
    const { metadata, write } = await start();
    const remove = (rowKey: string): RowChange => ({ op: 'delete', rowKey, before: {}, after: undefined });
    const add = (rowKey: string): RowChange => ({ op: 'insert', rowKey, before: undefined, after: {} });
    await write('md_1', ...Array.from({ length: 600 }, (_, index) => remove(`k${index}`)));
    await write('md_2', remove('k1'), remove('k2'));
    await write('md_2', add('k2'));
    const told: string[] = [];
    const hooks: PruneOptions['hooks'] = {
      tell: async (_id: string, ...[of]: readonly unknown[]) => {
        const { tableId, keys } = of as { readonly tableId: string; readonly keys: readonly string[] };
        expect(keys.length).toBeLessThanOrEqual(500);
        told.push(...keys.map((key) => `${tableId} ${key}`));
        return true;
      },
    };
    await pruneChanges(metadata, { days: 90, logger, signal, hooks, now: Date.now() + 89 * day });
    expect(told).toEqual([]);
    await pruneChanges(metadata, { days: 90, logger, signal, hooks, now: Date.now() + 91 * day });
    expect(told).toHaveLength(601);
    expect(told.filter((line) => line.startsWith('md_2'))).toEqual(['md_2 k1']);
  });

  test('is held up no more than once by who takes too long to hear of rows', async () => {
    const { metadata, count, write } = await start();
    await write(
      'md_1',
      ...Array.from({ length: 1200 }, (_, index) => ({
        ...update(`k${index}`, undefined),
        op: 'delete' as const,
      })),
    );
    await write('md_2', { ...update('k1', undefined), op: 'delete' });
    const asked = { told: 0, waited: 0 };
    const late = {
      // oxlint-disable-next-line unicorn/no-thenable -- it counts who waits for it
      then(resolve: (isInTime: boolean) => void) {
        asked.waited += 1;
        resolve(false);
      },
    };
    const hooks: PruneOptions['hooks'] = {
      tell() {
        asked.told += 1;
        return late as never;
      },
    };
    await pruneChanges(metadata, { days: 90, logger, signal, hooks, now: Date.now() + 91 * day });
    expect([asked, await count('trellis_log_entry')]).toEqual([{ told: 4, waited: 1 }, 0]);
  });

  test('deletes also what a clock that was wrong has put into the future, and what follows it', async () => {
    const { database, metadata, count, write } = await start();
    await write('md_1', update('1', { cl_name: 'from the future' }));
    await database.write((unit) =>
      unit.run(unit.knex('trellis_log_entry').update({ at: Date.now() + 3650 * day })),
    );
    const prune = (days: number) =>
      pruneChanges(metadata, { days: 90, logger, signal, now: Date.now() + days * day });
    await prune(1);
    expect(await count('trellis_log_entry')).toBe(1);
    await write('md_1', update('1', { cl_name: 'of today' }));
    await prune(91);
    expect([await count('trellis_log_entry'), await count('trellis_log_row')]).toEqual([0, 0]);
  });

  test('deletes what a clock put into the future in short transactions, however much it is', async () => {
    const { database, metadata, count, write, writeAll } = await start();
    await writeAll('md_1', Array(1200).fill([update('1', { cl_name: 'from the future' })]));
    await database.write((unit) =>
      unit.run(unit.knex('trellis_log_entry').update({ at: Date.now() + 3650 * day })),
    );
    await write('md_1', update('1', { cl_name: 'of today' }));
    const left: number[] = [await count('trellis_log_entry')];
    const { write: run } = database;
    const writing = jest.spyOn(database, 'write').mockImplementation(async (...call) => {
      const result = await run.apply(database, call);
      left.push(await count('trellis_log_entry'));
      return result as never;
    });
    await pruneChanges(metadata, { days: 90, logger, signal, now: Date.now() + 91 * day });
    writing.mockRestore();
    expect(left.at(-1)).toBe(0);
    const deleted = left.slice(1).map((of, index) => (left[index] ?? 0) - of);
    expect(Math.max(...deleted)).toBeLessThanOrEqual(500);
  });

  test('forgets what was linked to a row in short transactions, however many entries tell of it', async () => {
    const { database, metadata, count, writeAll } = await start();
    const changes = [update('1', { cl_owner: 7 })];
    await writeAll('md_1', Array(1001).fill(changes));
    expect(await count('trellis_log_link')).toBe(1001);
    const write = jest.spyOn(database, 'write');
    await forgetTable(metadata, 'md_owners');
    // One that finds no entry of the table, one no key, three with links, and one that finds no more.
    expect(write).toHaveBeenCalledTimes(6);
    write.mockRestore();
    expect(await count('trellis_log_link')).toBe(0);
  });

  test('takes the values of a dropped column and of a dropped table out at once', async () => {
    const { database, metadata, count, write, history } = await start();
    await write(
      'md_1',
      update('1', { cl_name: 'a', cl_secret: 'hidden' }),
      update('2', { cl_secret: 'hidden' }),
    );
    await write('md_2', update('1', { cl_name: 'hidden' }));
    await write('md_1', update('3', { cl_owner: 7 }));
    await forgetColumn(metadata, { tableId: 'md_1', columnId: 'cl_secret' });
    expect(await history('md_1', '1')).toEqual([
      expect.objectContaining({ before: { cl_name: '' }, after: { cl_name: 'a' } }),
    ]);
    expect(await history('md_1', '2')).toEqual([expect.objectContaining({ after: {} })]);
    await forgetTable(metadata, 'md_2');
    expect(await count('trellis_log_link')).toBe(1);
    await forgetTable(metadata, 'md_owners');
    expect(await count('trellis_log_link')).toBe(0);
    expect(await history('md_2', '1')).toEqual([]);
    // The numbers stay, so that nobody who keeps a place in the log takes them for open.
    expect(await count('trellis_log_entry')).toBe(3);
    const texts = await database.read((unit) =>
      unit.all(unit.knex('trellis_log_entry').select('rows', 'details')),
    );
    expect(JSON.stringify(texts)).not.toMatch(/hidden|was there/);
  });

  test('forgets a column of a set of rows, both what it was set to and what its foreign keys named', async () => {
    const { database, metadata, recordSet } = await start();
    await recordSet({
      op: 'update',
      predicate: '{}',
      patch: { cl_owner: 'hidden owner', cl_name: 'kept' },
      count: 20_000,
      ends: { columns: ['cl_owner'], rows: [['', ['former owner'], ['hidden owner'], [0]]] },
    });
    await forgetColumn(metadata, { tableId: 'md_1', columnId: 'cl_owner' });
    const texts = await database.read((unit) =>
      unit.all(unit.knex('trellis_log_entry').select('columns', 'rows', 'details')),
    );
    expect(JSON.stringify(texts)).toContain('kept');
    expect(JSON.stringify(texts)).not.toMatch(/hidden|former/);
  });
});
