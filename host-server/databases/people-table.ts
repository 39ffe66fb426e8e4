import type { Unit } from '../sql/unit.ts';
import type { Database } from './database.ts';

/** A table that several suites use. */
const people = {
  name: 'people',
  columns: [
    { name: 'id', kind: 'integer', autoIncrement: true },
    { name: 'name', kind: 'string', nullable: false },
    { name: 'age', kind: 'integer' },
  ],
  primaryKey: ['id'],
  indexes: [{ name: 'people_name', columns: ['name'], unique: true }],
} as const;

export async function openWithPeople(open: () => Promise<Database>): Promise<Database> {
  const database = await open();
  await database.schema((changer) => changer.createTable(people));
  return database;
}

export const insert = (unit: Unit, name: string | null) => unit.run(unit.knex('people').insert({ name }));
export const names = (database: Database) =>
  database.read(async (unit) =>
    (await unit.rows(unit.knex('people').select('name').orderBy('id'))).rows.map(([name]) => name),
  );
