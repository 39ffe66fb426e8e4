import { describe, expect, test } from '@jest/globals';
import { mysqlTypes } from './mysql.ts';
import { postgresTypes } from './postgres.ts';
import { sqliteTypes } from './sqlite.ts';

describe('a native type that no column type knows', () => {
  test.each([
    ['PostgreSQL', postgresTypes, 'text[]'],
    ['PostgreSQL', postgresTypes, 'inet'],
    ['MySQL', mysqlTypes, 'vector(3)'],
    ['MariaDB', mysqlTypes, 'xmltype'],
  ])('is shown and not written on %s', (_, types, native) => {
    expect(types.read(native)).toMatchObject({ uidt: 'SpecificDBType', editable: false });
  });

  // SQLite takes any word for a type and keeps any value under it, so that such a column is a text like others.
  test.each(['money', 'polygon', 'uuid', 'my own type', ''])('is a text on SQLite: %s', (native) => {
    expect(sqliteTypes.read(native)).toEqual({ kind: 'string', uidt: 'SingleLineText', editable: true });
  });
});

describe('the sizes of a native type', () => {
  test.each([
    ['MySQL', mysqlTypes, 'varchar(120)', { length: 120 }],
    ['MySQL', mysqlTypes, 'char(3)', { length: 3 }],
    ['MySQL', mysqlTypes, 'decimal(10,2)', { precision: 10, scale: 2 }],
    ['PostgreSQL', postgresTypes, 'character varying(9)', { length: 9 }],
    ['PostgreSQL', postgresTypes, 'numeric(12)', { precision: 12, scale: 0 }],
    ['SQLite', sqliteTypes, 'decimal(10,2)', { precision: 10, scale: 2 }],
  ])('are read on %s where they limit its values: %#', (_, types, native, sizes) => {
    expect(types.read(native)).toMatchObject(sizes);
  });

  test.each([
    ['MySQL', mysqlTypes, 'int(11)'],
    ['MySQL', mysqlTypes, 'bigint(20) unsigned'],
    ['MySQL', mysqlTypes, 'datetime(6)'],
    ['MySQL', mysqlTypes, 'text'],
    ['PostgreSQL', postgresTypes, 'timestamp(3) without time zone'],
    ['PostgreSQL', postgresTypes, 'numeric'],
  ])('are none on %s where they are the width of what is shown: %#', (_, types, native) => {
    const { length, precision, scale } = types.read(native);
    expect([length, precision, scale]).toEqual([undefined, undefined, undefined]);
  });
});
