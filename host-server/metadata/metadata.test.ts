import { expect, jest, test } from '@jest/globals';
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
    await migrate(database, metadata.leases, { migrations: [...migrations, later], version: '3.1.0' });
    await expect(migrate(database, metadata.leases, { version: '1.0.0' })).rejects.toThrow(
      'The metadata was written by Trellis 3.1.0, and this is Trellis 1.0.0, which does not know 999-later.',
    );
    const changed: Migration = { ...later, content: () => 'changed' };
    await expect(
      migrate(database, metadata.leases, { migrations: [...migrations, changed] }),
    ).rejects.toMatchObject({
      code: 'METADATA_CHANGED',
    });
    metadata.dispose();
  });

  test('is copied before a migration takes something away, and not when it is made', async () => {
    const database = await open();
    const leases = createLeases(database);
    const copies: string[] = [];
    const backUp = async (name: string) => void copies.push(name);
    await migrate(database, leases, { backUp });
    expect(copies).toEqual([]);
    const plain: Migration = { id: '998-plain', content: () => '', up: () => Promise.resolve() };
    const removing: Migration = {
      id: '999-removing',
      content: () => '',
      removes: true,
      up: (changer) => {
        expect(copies).toEqual(['999-removing']);
        return changer.dropTable('trellis_rate');
      },
    };
    await migrate(database, leases, { migrations: [...migrations, plain, removing], backUp });
    expect(copies).toEqual(['999-removing']);
  });

  test('is not marked as migrated by a server that lost the lease meanwhile', async () => {
    const database = await open();
    await migrate(database, createLeases(database));
    const slow: Migration = {
      id: '999-slow',
      content: () => '',
      up: () => Promise.resolve(),
      carry: async () => {
        await database.write((unit) =>
          unit.run(unit.knex('trellis_lease').where({ name: 'migration' }).increment('fence', 1)),
        );
      },
    };
    await expect(
      migrate(database, createLeases(database), { migrations: [...migrations, slow] }),
    ).rejects.toMatchObject({ code: 'LEASE_LOST' });
    const applied = await database.read((unit) => unit.all(unit.knex('trellis_migration').select('id')));
    expect(applied.map(({ id }: { id?: string }) => id)).not.toContain('999-slow');
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

  test('keeps a lease from a server whose clock is an hour ahead', async () => {
    const database = await open();
    const { leases, dispose } = await createMetadata({ database, pollEvery: 0 });
    const taken = await leases.hold('work', async () => {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
      try {
        return await createLeases(database).hold('work', () => Promise.resolve('taken'), { wait: 0 });
      } finally {
        clock.mockRestore();
      }
    });
    expect(taken).toBeUndefined();
    expect(await createLeases(database).hold('work', () => Promise.resolve('free'), { wait: 0 })).toBe(
      'free',
    );
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
