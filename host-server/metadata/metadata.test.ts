import { expect, test } from '@jest/globals';
import { describeEachDatabase } from '../databases/testing.ts';
import { createGenerations } from './generations.ts';
import { createLeases } from '../runtime/leases.ts';
import { createMetadata } from './metadata.ts';
import { migrate } from './migrate.ts';
import { migrations, type Migration } from './migrations.ts';

describeEachDatabase('the metadata', (open) => {
  test('is made once, also when two servers start at the same moment, and a second start changes nothing', async () => {
    const database = await open();
    await Promise.all([migrate(database, createLeases(database)), migrate(database, createLeases(database))]);
    await migrate(database, createLeases(database));
    const applied = await database.read((unit) => unit.all(unit.knex('trellis_migration').select('id')));
    expect(applied.map((row) => ({ ...row }))).toEqual(migrations.map(({ id }) => ({ id })));
  });

  test('of a newer version is refused by name and left as it is', async () => {
    const database = await open();
    const metadata = await createMetadata({ database, pollEvery: 0 });
    const later: Migration = { id: '999-later', content: () => 'later', up: () => Promise.resolve() };
    await migrate(database, metadata.leases, [...migrations, later]);
    await expect(migrate(database, metadata.leases)).rejects.toThrow(/999-later/);
    const changed: Migration = { ...later, content: () => 'changed' };
    await expect(migrate(database, metadata.leases, [...migrations, changed])).rejects.toMatchObject({
      code: 'METADATA_CHANGED',
    });
    metadata.dispose();
  });

  test('tells of a generation at once here and by polling elsewhere, and only after the commit', async () => {
    const database = await open();
    const { generations, dispose } = await createMetadata({ database, pollEvery: 0 });
    const elsewhere = createGenerations(database, { every: 0 });
    await elsewhere.poll();
    const heard: string[] = [];
    generations.onDidChange(({ scope, value }) => heard.push(`here ${scope} ${value}`));
    elsewhere.onDidChange(({ scope, value }) => heard.push(`elsewhere ${scope} ${value}`));
    await database.write(async (unit) => {
      expect(await generations.bump(unit, 'p_1')).toBe(1);
      expect(heard).toEqual([]);
    });
    await database
      .write(async (unit) => {
        await generations.bump(unit, 'p_1');
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await elsewhere.poll();
    expect(heard).toEqual(['here p_1 1', 'elsewhere p_1 1']);
    dispose();
    elsewhere.dispose();
  });

  test('lends a lease to one holder at a time, with a fence that grows', async () => {
    const database = await open();
    const { leases, dispose } = await createMetadata({ database, pollEvery: 0 });
    const other = createLeases(database);
    const seen: string[] = [];
    const hold = (holder: typeof leases, name: string) =>
      holder.hold('work', async ({ fence }) => {
        seen.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(`${name} ends`);
        return fence;
      });
    const fences = await Promise.all([hold(leases, 'a'), hold(other, 'b'), hold(leases, 'c')]);
    expect(new Set(fences).size).toBe(3);
    for (let index = 0; index < seen.length; index += 2) {
      expect(seen[index + 1]).toBe(seen[index]?.replace('begins', 'ends'));
    }
    dispose();
  });

  test('gives a lease up to others when it cannot be had in time', async () => {
    const database = await open();
    const { leases, dispose } = await createMetadata({ database, pollEvery: 0 });
    const answer = await leases.hold('work', () =>
      createLeases(database).hold('work', () => Promise.resolve('mine'), { wait: 0 }),
    );
    expect(answer).toBeUndefined();
    dispose();
  });
});
