import { expect, test } from '@jest/globals';
import type { Database } from '../../databases/database.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import { describeEachDatabase } from '../../databases/testing.ts';
import { dialectOf } from '../select-dialect.ts';

describeEachDatabase('an error of the database', (open, dialect) => {
  test('is told by kind, with the column where the driver names it', async () => {
    const database = await open();
    await database.schema(async (changer) => {
      await changer.createTable({
        name: 'parent',
        columns: [
          { name: 'id', kind: 'integer' },
          { name: 'code', kind: 'string', length: 5 },
        ],
        primaryKey: ['id'],
      });
      await changer.createIndex('parent', { name: 'parent_code', columns: ['code'], unique: true });
      await changer.createTable({
        name: 'child',
        columns: [
          { name: 'parent_id', kind: 'integer', nullable: false },
          { name: 'n', kind: 'integer' },
        ],
        foreignKeys: [{ name: 'child_parent', columns: ['parent_id'], table: 'parent', references: ['id'] }],
      });
    });
    await database.write((unit) => unit.run(unit.knex('parent').insert({ id: 1, code: 'a' })));
    await database.write((unit) => unit.run(unit.knex('child').insert({ parent_id: 1 })));

    const failures: readonly (readonly [table: string, row: Record<string, unknown>, kind: string])[] = [
      ['parent', { id: 1 }, 'unique'],
      ['parent', { id: 2, code: 'a' }, 'unique'],
      ['child', { parent_id: 9 }, 'foreignKey'],
      ['child', { n: 1 }, 'notNull'],
      ['nobody', { n: 1 }, 'missingTable'],
      ['child', { parent_id: 1, nothing: 1 }, 'missingColumn'],
    ];
    for (const [table, row, kind] of failures) {
      const error = await failure(database, table, row);
      expect(error).toBeInstanceOf(DatabaseError);
      expect(error).toMatchObject({ kind });
      expect(error.message).not.toMatch(/insert|values|parent|child|nobody/i);
    }
    expect(await failure(database, 'child', { n: 1 })).toMatchObject({ columns: ['parent_id'] });
    if (dialect !== 'sqlite') {
      expect(await failure(database, 'parent', { id: 3, code: 'far too long' })).toMatchObject({
        kind: 'outOfRange',
      });
      expect(await failure(database, 'child', { parent_id: 1, n: 2 ** 40 })).toMatchObject({
        kind: 'outOfRange',
      });
      expect(await failure(database, 'child', { parent_id: 1, n: 'word' })).toMatchObject({
        kind: 'badValue',
      });
    }
    const inUse = database.write((unit) => unit.run(unit.knex('parent').where({ id: 1 }).delete()));
    await expect(inUse).rejects.toMatchObject({ kind: 'foreignKey' });
  });

  test('that a table can have no more columns says so', async () => {
    const database = await open();
    const columns = Array.from(
      { length: 4200 },
      (_, index) => ({ name: `c${index}`, kind: 'integer' }) as const,
    );
    const most = dialect === 'mysql' ? 4200 : 2001;
    const create = database.schema((changer) =>
      changer.createTable({ name: 'wide', columns: columns.slice(0, most) }),
    );
    await expect(create).rejects.toMatchObject({ kind: 'columnLimit', status: 400, code: 'COLUMN_LIMIT' });
    if (dialect !== 'mysql') return;
    // Long before that, the bytes of a row end.
    const texts = database.schema((changer) =>
      changer.createTable({
        name: 'heavy',
        columns: Array.from({ length: 70 }, (_, index) => ({
          name: `t${index}`,
          kind: 'string',
          length: 255,
        })),
      }),
    );
    await expect(texts).rejects.toMatchObject({ kind: 'columnLimit' });
    const misfit = database.write((unit) =>
      unit.run({ sql: 'create table misfit (n decimal(10, 2) default 9007199254740992)', bindings: [] }),
    );
    await expect(misfit).rejects.toMatchObject({ kind: 'badValue' });
  });

  test('says of a statement that is nested too deep that it is', async () => {
    // PostgreSQL takes as many levels as its parser.
    const levels = dialect === 'postgres' ? 3 : 1500;
    const database = await open();
    const statement = { sql: `select ${'abs('.repeat(levels)}1${')'.repeat(levels)}`, bindings: [] };
    const answer = database.read((unit) => unit.rows(statement));
    if (dialect === 'postgres') expect((await answer).rows).toEqual([[1]]);
    else
      await expect(answer).rejects.toMatchObject({
        kind: 'tooComplex',
        status: 400,
        code: 'QUERY_TOO_COMPLEX',
      });
    const { errors } = dialectOf(dialect);
    if (dialect === 'postgres')
      expect(
        errors.toDatabaseError(Object.assign(new Error('stack depth limit exceeded'), { code: '54001' })),
      ).toMatchObject({ kind: 'tooComplex' });
  });

  test('leaves errors of others as they are', () => {
    const { errors } = dialectOf(dialect);
    const mine = new TypeError('mine');
    expect(errors.toDatabaseError(mine)).toBe(mine);
    expect(errors.toDatabaseError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toMatchObject({
      kind: 'unreachable',
    });
    expect(errors.toDatabaseError('thrown text')).toMatchObject({ kind: 'unknown' });
  });
});

function failure(database: Database, table: string, row: Record<string, unknown>): Promise<Error> {
  return database
    .write((unit) => unit.run(unit.knex(table).insert(row)))
    .then(
      () => new Error('nothing failed'),
      (error: Error) => error,
    );
}
