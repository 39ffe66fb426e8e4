import { describe, expect, test } from '@jest/globals';
import { recordStatements } from '../../databases/testing/recorded-statements.ts';
import { tsqlProblems } from '../../databases/testing/tsql.ts';
import { dialectOf } from '../select-dialect.ts';

/** Rows as SQL Server's catalogue has them: `sys.objects`, `sys.columns`, `sys.indexes`, `sys.foreign_keys`, `sys.check_constraints`. */
const columns = [
  'of',
  'table_kind',
  'name',
  'type',
  'bytes',
  'digits',
  'scale',
  'nullable',
  'counts',
  'computed',
  'fallback',
];
const ofInvoice = (...cells: readonly unknown[]) => ['invoice', 'U ', ...cells];

const columnRows = [
  ['customer', 'U ', 'id', 'int', 4, 10, 0, false, true, false, null],
  ['customer', 'U ', 'name', 'nvarchar', 100, 0, 0, false, false, false, null],
  ['empty', 'U ', null, null, null, null, null, null, null, null, null],
  ofInvoice('year', 'smallint', 2, 5, 0, false, false, false, null),
  ofInvoice('number', 'bigint', 8, 19, 0, false, false, false, null),
  ofInvoice('customer_id', 'int', 4, 10, 0, true, false, false, null),
  ofInvoice('total', 'decimal', 9, 10, 2, true, false, false, '((0))'),
  ofInvoice('fee', 'money', 8, 19, 4, true, false, false, null),
  ofInvoice('paid', 'bit', 1, 1, 0, false, false, false, '((0))'),
  ofInvoice('at', 'datetime2', 8, 27, 7, false, false, false, '(sysutcdatetime())'),
  ofInvoice('old_at', 'datetime', 8, 23, 3, true, false, false, '(getdate())'),
  ofInvoice('notes', 'nvarchar', -1, 0, 0, true, false, false, "(N'a) (b')"),
  ofInvoice('data', 'nvarchar', -1, 0, 0, true, false, false, null),
  ofInvoice('code', 'uniqueidentifier', 16, 0, 0, false, false, false, '(newid())'),
  ofInvoice('gross', 'numeric', 9, 12, 3, true, false, true, null),
  ofInvoice('version', 'timestamp', 8, 0, 0, false, false, true, null),
  ofInvoice('place', 'geography', -1, 0, 0, true, false, false, null),
  ofInvoice('file', 'varbinary', -1, 0, 0, true, false, false, null),
  ['unpaid', 'V ', 'number', 'bigint', 8, 19, 0, false, false, false, null],
];

const keyRows = [
  ['customer', 'PK_customer', 'id', true],
  ['customer', 'UQ_name', 'name', false],
  ['invoice', 'PK_invoice', 'year', true],
  ['invoice', 'PK_invoice', 'number', true],
];

async function readSchema(schema?: string) {
  const { database, take } = recordStatements(dialectOf('mssql', schema), (sql) => {
    if (sql.includes('from sys.objects t')) return { columns, rows: columnRows.map((row) => [...row]) };
    if (sql.includes('from sys.indexes i'))
      return { columns: ['of', 'name', 'column_name', 'is_primary'], rows: keyRows.map((row) => [...row]) };
    if (sql.includes('from sys.foreign_keys f'))
      return {
        columns: [
          'of',
          'name',
          'column_name',
          'target',
          'target_schema',
          'target_column',
          'on_delete',
          'on_update',
        ],
        rows: [
          ['invoice', 'FK_customer', 'customer_id', 'customer', null, 'id', 'SET_NULL', 'NO_ACTION'],
          ['invoice', 'FK_seller', 'seller_id', 'person', 'hr', 'id', 'NO_ACTION', 'NO_ACTION'],
        ],
      };
    return {
      columns: ['of', 'rule'],
      rows: [
        ['invoice', '(isjson([data])=(1))'],
        ['invoice', '([total]>(0) AND isjson([notes])>(0))'],
      ],
    };
  });
  const found = await database.read((unit) => database.dialect.introspection.read(unit));
  return { found, statements: take() };
}

describe('what SQL Server says of its tables', () => {
  test('is asked in T-SQL, of the schema of the connection', async () => {
    for (const schema of [undefined, 'sales']) {
      const { statements } = await readSchema(schema);
      expect(statements).toHaveLength(4);
      for (const sql of statements) {
        expect({ sql, problems: tsqlProblems(sql) }).toEqual({ sql, problems: [] });
        expect(sql).toContain(schema === undefined ? 'schema_id()' : 'schema_id(@p0)');
      }
    }
  });

  test('is read as tables, views, keys and links', async () => {
    const { found } = await readSchema();
    expect(found.tables.map(({ name, kind, primaryKey }) => [name, kind, primaryKey])).toEqual([
      ['customer', 'table', ['id']],
      ['empty', 'table', []],
      ['invoice', 'table', ['year', 'number']],
      ['unpaid', 'view', []],
    ]);
    expect(found.tables[0]?.uniqueKeys).toEqual([{ name: 'UQ_name', columns: ['name'] }]);
    expect(found.tables[2]?.foreignKeys).toEqual([
      {
        name: 'FK_customer',
        columns: ['customer_id'],
        table: 'customer',
        references: ['id'],
        onDelete: 'set null',
        onUpdate: 'no action',
      },
    ]);
    expect(found.tables[2]?.outwardKeys).toMatchObject([
      { name: 'FK_seller', columns: ['seller_id'], schema: 'hr', table: 'person', references: ['id'] },
    ]);
  });

  test('is read as columns with their types and defaults', async () => {
    const { found } = await readSchema();
    const shown = Object.fromEntries(
      (found.tables[2]?.columns ?? []).map((column) => [
        column.name,
        [column.native, column.reading.kind, column.default, column.computed],
      ]),
    );
    expect(shown).toEqual({
      year: ['smallint', 'integer', undefined, false],
      number: ['bigint', 'bigint', undefined, false],
      customer_id: ['int', 'integer', undefined, false],
      total: ['decimal(10,2)', 'decimal', '0', false],
      fee: ['money', 'decimal', undefined, false],
      paid: ['bit', 'boolean', '0', false],
      at: ['datetime2(7)', 'datetime', 'sysutcdatetime()', false],
      old_at: ['datetime', 'datetime', 'getdate()', false],
      notes: ['nvarchar(max)', 'text', "N'a) (b'", false],
      data: ['nvarchar(max)', 'json', undefined, false],
      code: ['uniqueidentifier', 'string', 'newid()', false],
      gross: ['numeric(12,3)', 'decimal', undefined, true],
      version: ['timestamp', 'binary', undefined, true],
      place: ['geography', 'text', undefined, false],
      file: ['varbinary(max)', 'binary', undefined, false],
    });
    expect(found.tables[0]?.columns[0]).toMatchObject({ autoIncrement: true, computed: true });
    expect(found.tables[2]?.columns.find(({ name }) => name === 'place')?.reading.editable).toBe(false);
  });
});
