import { describe, expect, test } from '@jest/globals';
import { parseDatabaseUrl, parseMetadataUrl } from './database-url.ts';

describe('a database address', () => {
  test('names a file, or a server with its parts', () => {
    expect(parseDatabaseUrl('sqlite:/data/my%20base.db')).toEqual({
      kind: 'sqlite',
      file: '/data/my base.db',
      create: true,
    });
    expect(parseDatabaseUrl('sqlite:data/x.db')).toMatchObject({ file: 'data/x.db' });
    expect(parseDatabaseUrl('sqlite:///data/x.db')).toMatchObject({ file: '/data/x.db' });
    expect(
      parseDatabaseUrl('postgres://me:p%40ss@db.example/shop?sslmode=verify-full&pool=4&connect_timeout=30'),
    ).toEqual({
      kind: 'postgres',
      host: 'db.example',
      port: 5432,
      user: 'me',
      password: 'p@ss',
      database: 'shop',
      tls: true,
      pool: { max: 4 },
      openMs: 30_000,
    });
    expect(parseDatabaseUrl('mssql://sa:s@db/x')).toMatchObject({ kind: 'mssql', port: 1433, database: 'x' });
    expect(parseDatabaseUrl('mariadb://root@[::1]:3307/x')).toEqual({
      kind: 'mysql',
      host: '::1',
      port: 3307,
      user: 'root',
      database: 'x',
    });
  });

  test('is no SQL Server where the metadata are kept', () => {
    expect(() => parseMetadataUrl('mssql://sa:secret@db/x')).toThrow(/^SQL Server is for existing databases/);
  });

  test.each([
    'oracle://me:secret@host/x',
    'postgres://me:secret@host:notaport/x',
    'postgres://me:secret@host/x?options=-c%20secret',
    'mysql://me:secret@host/x?flags=LOCAL_FILES',
    'postgres://me:secret@host/x?sslmode=perhaps',
    'postgres://me:secret@host/x?pool=1000',
    'postgres://me:secret@host/x?connect_timeout=301',
    'postgres://me:secret@host/x?connect_timeout=2s',
    'sqlite:',
    'secret',
    '',
  ])('that cannot be used is refused without repeating it: %s', (address) => {
    let message = '';
    try {
      parseDatabaseUrl(address);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/database address|option/);
    expect(message).not.toContain('secret');
  });
});
