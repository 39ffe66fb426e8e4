import { expect, test } from '@jest/globals';
import { Model } from 'objection';
import type { Database } from './database.ts';
import { describeEachDatabase } from './testing.ts';

class Person extends Model {
  static override tableName = 'people';
  declare id: number;
  declare name: string;
}

async function openWithPeople(open: () => Promise<Database>): Promise<Database> {
  const database = await open();
  await database.schema((changer) =>
    changer.createTable({
      name: 'people',
      columns: [
        { name: 'id', kind: 'integer', autoIncrement: true },
        { name: 'name', kind: 'string' },
      ],
      primaryKey: ['id'],
    }),
  );
  return database;
}

describeEachDatabase('the knex of a unit', (open) => {
  test('serves objection models within the transaction of the unit', async () => {
    const database = await openWithPeople(open);
    const kept = await database.write(async (unit) => Person.query(unit.knex).insert({ name: 'Ada' }));
    expect(kept.id).toBe(1);
    await database
      .write(async (unit) => {
        await Person.query(unit.knex).patchAndFetchById(1, { name: 'Grace' });
        expect(await Person.query(unit.knex).resultSize()).toBe(1);
        throw new Error('no');
      })
      .catch((error: Error) => expect(error.message).toBe('no'));
    await database.read(async (unit) => {
      expect(await Person.query(unit.knex).findById(1)).toMatchObject({ name: 'Ada' });
      expect(await Person.query(unit.knex).where('name', 'like', 'A%').page(0, 5)).toMatchObject({
        total: 1,
      });
    });
  });

  test('runs awaited builders, plucks, counts and makes tables', async () => {
    const database = await openWithPeople(open);
    await database.write(async ({ knex }) => {
      await knex.schema.createTable('notes', (table) => {
        table.increments('id');
        table.string('body').notNullable();
        table.integer('person_id').references('people.id');
      });
      await knex('people').insert([{ name: 'a' }, { name: 'b' }]);
      expect(await knex('people').orderBy('id').pluck('name')).toEqual(['a', 'b']);
      expect(await knex('people').where({ name: 'a' }).update({ name: 'c' })).toBe(1);
      expect(await knex('people').where({ name: 'b' }).delete()).toBe(1);
      expect(Number((await knex('people').count({ n: '*' }).first())?.['n'])).toBe(1);
      expect(await knex.schema.hasTable('notes')).toBe(true);
    });
  });

  test('fails with the same errors as the unit itself, and starts no transaction of its own', async () => {
    const database = await openWithPeople(open);
    await database.read(async ({ knex }) => {
      await expect(knex('nobody').select('*')).rejects.toMatchObject({
        kind: 'missingTable',
        message: expect.not.stringContaining('select'),
      });
      await expect(knex.transaction(async () => {})).rejects.toThrow(/one transaction already/);
    });
    await expect(database.builder('people').select('*')).rejects.toThrow(/acquire a connection/);
  });
});
