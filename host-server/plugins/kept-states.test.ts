import { expect, jest, test } from '@jest/globals';
import { askUntil } from '@trellis/sdk/testing/server';
import { DatabaseError } from '../databases/index.ts';
import { createMetadata } from '../metadata/metadata.ts';
import { describeEachMetadata } from '../metadata/testing.ts';
import { createKeptStates } from './kept-states.ts';
import { createPluginRows } from './plugin-rows.ts';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

interface Row {
  readonly starting_since: number | string | null;
  readonly reason: string | null;
}

describeEachMetadata('what is kept of plugins', (open) => {
  test('tells that a start is over, once there is room on the disk that filled during it', async () => {
    const database = await open();
    const metadata = await createMetadata({ database, pollEvery: 0 });
    const ending = new AbortController();
    const states = createKeptStates({
      rows: createPluginRows(metadata),
      logger,
      status: () => undefined,
      isRunning: () => false,
      ending: ending.signal,
    });
    const rows = () =>
      database.read((unit) =>
        unit.all<Row>(unit.knex('trellis_plugin').orderBy('id').select('starting_since', 'reason')),
      );
    await states.persist('failing', 'starting');
    await states.persist('failing', 'enabled', 'It failed at migrate');
    await states.persist('other', 'starting');
    const full = jest.spyOn(database, 'write').mockRejectedValue(new DatabaseError('storageFull'));
    await states.persist('other', 'enabled', 'It failed at migrate');
    await states.settle();
    full.mockRestore();
    expect((await rows()).map(({ starting_since: since }) => since === null)).toEqual([true, false]);
    const written = await askUntil(rows, (all) => all.every(({ starting_since: since }) => since === null));
    expect(written.map(({ reason }) => reason)).toEqual(Array(2).fill('failed: It failed at migrate'));
    ending.abort();
    metadata.dispose();
  });

  test('is not changed by a start that fails after somebody switched the plugin off', async () => {
    const metadata = await createMetadata({ database: await open(), pollEvery: 0 });
    const [here, there] = [createPluginRows(metadata), createPluginRows(metadata)];
    await here.write({ id: 'slow', version: '1.0.0', state: 'enabled' });
    await here.read();
    await here.write({ id: 'slow', version: '1.0.0', state: 'starting' });
    await there.write({ id: 'slow', version: '1.0.0', state: 'disabled' });
    await here.write({ id: 'slow', version: '1.0.0', state: 'enabled', reason: 'No port is free' });
    expect((await there.read()).get('slow')).toMatchObject({ state: 'disabled', reason: 'No port is free' });
    metadata.dispose();
  });
});
