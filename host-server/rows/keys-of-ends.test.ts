import { describe, expect, test } from '@jest/globals';
import { recordStatements } from '../databases/testing/recorded-statements.ts';
import { dialectOf } from '../dialects/select-dialect.ts';
import type { Reach } from '../query/compile-context.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import type { RowSet } from '../sql/unit.ts';
import { createTables, columnId } from '../query/testing/tables.ts';
import { library, links } from '../query/testing/library.ts';
import { distinctKeys, keysOfEnds } from './keys-of-ends.ts';

async function start(dialect: 'mysql' | 'mssql' | 'postgres', own = false) {
  const { database } = recordStatements(dialectOf(dialect));
  const { context } = await createTables(database, library, links);
  const asked: SqlFragment[] = [];
  const answers: RowSet['rows'][] = [];
  const read = async (statement: SqlFragment): Promise<RowSet> => {
    asked.push(statement);
    return { columns: [], rows: answers.shift() ?? [] } as unknown as RowSet;
  };
  const near = context('author');
  const bases = new Map([[near.table.baseId, { own }]]);
  const reach = { ...near.reach, snapshot: { ...near.reach.snapshot, bases } } as unknown as Reach;
  const columns = { near: { ...near, reach }, nearIds: [columnId('author', 'name')] };
  return { asked, answers, columns, read };
}

const manyKeys = Array.from({ length: 3000 }, (_, index) => [`key ${index}`]);

describe('the keys that are the same to the database as values of rows', () => {
  test('are the same texts, and then nothing is asked', async () => {
    const { asked, columns, read } = await start('mysql');
    const found = { keys: manyKeys, ends: [['key 1'], ['key 2']], areUnique: true, areOfKeys: true };
    const named = await keysOfEnds(columns, found, read);
    expect([...named]).toEqual([
      ['key 1', ['key 1']],
      ['key 2', ['key 2']],
    ]);
    expect(asked).toEqual([]);
  });

  test('are found by one statement among many for a value in other letters', async () => {
    const { asked, answers, columns, read } = await start('mysql');
    answers.push([[0, 'KÉY 7 ']]);
    const found = { keys: manyKeys, ends: [['KÉY 7 '], ['key 2']], areUnique: true, areOfKeys: true };
    const named = await keysOfEnds(columns, found, read);
    expect(named.get('KÉY 7 ')).toEqual(['key 7']);
    expect(asked.length).toBe(1);
    expect(asked[0]?.bindings).toEqual(['key 7', 'key 7']);
  });

  test('are asked for until all are found where they look otherwise', async () => {
    const { asked, answers, columns, read } = await start('mysql');
    answers.push([[-1, 'strasse']], [[3, 'strasse']]);
    const found = { keys: manyKeys, ends: [['strasse']], areUnique: true, areOfKeys: true };
    expect((await keysOfEnds(columns, found, read)).get('strasse')).toEqual(['key 203']);
    expect(asked.length).toBe(2);
  });

  test('are asked for as long as keys may be the same as each other', async () => {
    const { asked, answers, columns, read } = await start('mysql');
    answers.push([[0, 'key']], [[0, 'key']], [[-1, 'key']]);
    const keys = [['key'], ['KEY'], ['Key'], ['kEY']];
    const found = { keys, ends: [['key']], areUnique: false, areOfKeys: true };
    expect((await keysOfEnds(columns, found, read)).get('key')).toEqual(['key', 'KEY', 'Key']);
    expect(asked.length).toBe(3);
  });

  test('are not asked for where a database compares exactly and the rows of keys only stay out of sight', async () => {
    const { asked, columns, read } = await start('postgres');
    const found = { keys: manyKeys, ends: [['key 1']], areUnique: false, areOfKeys: true };
    await keysOfEnds(columns, found, read);
    expect(asked).toEqual([]);
  });

  test('are compared with no text of our own tables that looks otherwise', async () => {
    const { asked, columns, read } = await start('mysql', true);
    const found = { keys: manyKeys, ends: [['key 1']], areUnique: false, areOfKeys: true };
    await keysOfEnds(columns, found, read);
    expect(asked).toEqual([]);
  });

  test('are told apart by their letters, and shown as they are written, on SQL Server', async () => {
    const { asked, columns, read } = await start('mssql');
    const found = { keys: [['alfki']], ends: [['ALFKI']], areUnique: true, areOfKeys: true };
    await keysOfEnds(columns, found, read);
    const [shown = '', grouped = ''] = asked[0]?.sql.split(' group by ') ?? [];
    expect(shown).toContain('min(cast(');
    expect(shown).not.toContain('nchar');
    expect(grouped).toContain('nchar(1)');
  });

  test('are taken once each', () => {
    expect(
      distinctKeys([
        ['a', 1],
        ['a', 1],
        ['a', 2],
      ]),
    ).toEqual([
      ['a', 1],
      ['a', 2],
    ]);
  });
});
