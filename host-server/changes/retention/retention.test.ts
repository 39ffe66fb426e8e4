import { expect, test } from '@jest/globals';
import type { TableSchema } from '@trellis/sdk/server';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { createMetadata } from '../../metadata/metadata.ts';
import { ChangeLog } from '../change-log.ts';
import { rowHistory } from '../read-log.ts';
import type { RowChange } from '../row-change.ts';
import { SettledLog } from '../settled-log.ts';
import { forgetColumn, forgetTable } from './forget.ts';
import { pruneChanges } from './prune.ts';

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const author = { principal: { id: 'us_1', email: 'ann@example.com' }, requestId: 'r1' };
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
    const database = await open();
    const metadata = await createMetadata({ database, pollEvery: 0 });
    const log = new ChangeLog(metadata);
    const count = async (table: string) => {
      const row = await database.read((unit) =>
        unit.first<{ count: number | string }>(unit.knex(table).count({ count: '*' })),
      );
      return Number(row?.count);
    };
    async function write(tableId: string, ...changes: readonly RowChange[]): Promise<void> {
      const table = { id: tableId, projectId: 'p_1', baseId: 'ds_1' } as TableSchema;
      const recording = log.record(log.begin(author), [{ table, changes }]);
      await database.write((unit) => unit.batch(recording.statements));
    }
    const history = async (tableId: string, key: string) =>
      (await rowHistory(metadata, { tableId, key }, { limit: 10 })).map(({ change }) => change);
    return { database, metadata, count, write, history, settled: new SettledLog(metadata) };
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
    const last = await settled.newest();
    await pruneChanges(metadata, { days: 90, logger, signal, now: Date.now() + 89 * day });
    expect([await count('trellis_log_entry'), await count('trellis_log_row')]).toEqual([30, 2700]);
    expect(await count('trellis_rate')).toBe(0);
    await pruneChanges(metadata, { days: 90, logger, signal, now: Date.now() + 91 * day });
    expect([await count('trellis_log_entry'), await count('trellis_log_row')]).toEqual([0, 0]);
    await write('md_1', update('k1', { cl_name: 'new' }));
    const { heads, lost } = await settled.after(0);
    expect([heads.map(({ seq }) => seq), lost]).toEqual([[last + 1], last]);
  });

  test('takes the values of a dropped column and of a dropped table out at once', async () => {
    const { database, metadata, count, write, history } = await start();
    await write(
      'md_1',
      update('1', { cl_name: 'a', cl_secret: 'hidden' }),
      update('2', { cl_secret: 'hidden' }),
    );
    await write('md_2', update('1', { cl_name: 'hidden' }));
    await forgetColumn(metadata, { tableId: 'md_1', columnId: 'cl_secret' });
    expect(await history('md_1', '1')).toEqual([
      expect.objectContaining({ before: { cl_name: '' }, after: { cl_name: 'a' } }),
    ]);
    expect(await history('md_1', '2')).toEqual([expect.objectContaining({ after: {} })]);
    await forgetTable(metadata, 'md_2');
    expect(await history('md_2', '1')).toEqual([]);
    // The numbers stay, so that nobody who keeps a place in the log takes them for open.
    expect(await count('trellis_log_entry')).toBe(2);
    const texts = await database.read((unit) =>
      unit.all(unit.knex('trellis_log_entry').select('rows', 'details')),
    );
    expect(JSON.stringify(texts)).not.toMatch(/hidden|was there/);
  });
});
