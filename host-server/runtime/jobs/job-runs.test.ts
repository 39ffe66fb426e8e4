import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { createJobRuns } from './job-runs.ts';

const hour = 3_600_000;

describeEachMetadata('the begins of periodic jobs', (open) => {
  test('are told by the clock of the database, whatever that of a server says', async () => {
    const database = await open();
    const runs = createJobRuns(database);
    const put = (change: number) =>
      database.write((unit) =>
        unit.run(unit.knex('trellis_periodic_run').where({ id: 'send' }).increment('begun_at', change)),
      );
    expect(Math.abs(await runs.age('send'))).toBeLessThan(hour);
    await put(-5 * hour);
    expect(await runs.age('send')).toBeGreaterThanOrEqual(5 * hour);
    await runs.begin('send');
    expect(Math.abs(await runs.age('send'))).toBeLessThan(hour);
    await put(5 * hour);
    expect(await runs.age('send')).toBeLessThan(-3 * hour);
    expect(Math.abs(await runs.age('other'))).toBeLessThan(hour);
  });
});
