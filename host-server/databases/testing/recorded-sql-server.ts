import * as polyglot from '@polyglot-sql/sdk';
import MssqlClient from 'knex/lib/dialects/mssql/index.js';
import type { Binding, StatementResult } from '../../sql/session.ts';
import { placeBindings } from '../compile-query.ts';
import type { TdsConnection } from '../mssql/tds.ts';
import type { ServerDriver } from '../server/server-driver.ts';

/** A column in the server's catalogue: its name and type, and whether it is an identity column. */
export type CatalogueColumn = readonly [name: string, type: string, counts?: 'counts'];

/** A table in the server's catalogue. */
export interface CatalogueTable {
  readonly name: string;
  readonly columns: readonly CatalogueColumn[];
  readonly key: readonly string[];
  readonly foreignKeys?: readonly {
    readonly name: string;
    readonly column: string;
    readonly target: string;
    readonly targetColumn: string;
  }[];
}

/** A SQL Server that runs nothing: it records the statements, and answers as a server with these tables could. */
export interface RecordedSqlServer {
  /** Replaces the driver that connects. */
  driver(of: ServerDriver<TdsConnection>): ServerDriver<TdsConnection>;
  /** Each received statement once. */
  statements(): readonly string[];
  /** Sets the contents of its catalogue. */
  setTables(tables: readonly CatalogueTable[]): void;
}

const bytes: Readonly<Record<string, readonly [length: number, digits: number, scale: number]>> = {
  int: [4, 10, 0],
  bigint: [8, 19, 0],
  bit: [1, 1, 0],
  decimal: [9, 10, 2],
  float: [8, 53, 0],
  date: [3, 10, 0],
  time: [5, 16, 7],
  datetime2: [8, 27, 7],
  nvarchar: [200, 0, 0],
};

/** The values of cells, by database column. */
const cells: Readonly<Record<string, unknown>> = {
  name: 'Ada',
  email: 'ada@example.com',
  note: '{"a":1}',
  total: '12.50',
  at: '2024-02-29T13:30:00',
  day: '2024-02-29',
  hour: '13:30:00',
  paid: true,
  code: 'de',
  country_code: 'DE',
};

export function recordSqlServer(tables: readonly CatalogueTable[]): RecordedSqlServer {
  const asked = new Set<string>();
  const names = new Set<string>();
  let catalogue: readonly CatalogueTable[] = [];

  function setTables(next: readonly CatalogueTable[]): void {
    catalogue = next;
    for (const { name, columns } of next)
      for (const known of [name, ...columns.map(([column]) => column)]) names.add(known);
  }
  setTables(tables);

  /** Names that a statement creates exist from then on. */
  function learn(sql: string): void {
    if (!/^(?:create|alter|exec)\b/.test(sql)) return;
    for (const [, name = ''] of sql.matchAll(/\[((?:[^\]]|\]\])+)\]/g)) names.add(name);
    for (const [, name = ''] of sql.matchAll(/N'([^'[]+)'/g)) names.add(name);
  }

  const isKnown = (bindings: readonly Binding[]) =>
    bindings.every((binding) => names.has(String(binding).replace(/^.*\[([^[]*)\]$/, '$1')));

  function answer(sql: string, bindings: readonly Binding[]): Partial<StatementResult> {
    const known = catalogueAnswer(catalogue, sql);
    if (known !== undefined) return known;
    if (/^select 1 from sys\.index_columns/.test(sql)) return {};
    if (/^select 1 (?:where|from sys\.(?:columns|indexes|foreign_keys))/.test(sql))
      return { rows: isKnown(bindings) ? [[1]] : [] };
    if (sql.includes(' from sys.')) return { rows: [] };
    return /^(?:select|with|set nocount on)\b/.test(sql) ? rowOf(sql) : { changes: 1 };
  }

  function run(sql: string, bindings: readonly Binding[]): StatementResult {
    const text = placeBindings(sql, bindings, (index, value) => (value === null ? 'null' : `@p${index}`));
    asked.add(text);
    const told = { columns: [], rows: [], changes: 0, ...answer(sql, bindings) };
    learn(text);
    return told;
  }

  return {
    setTables,
    statements: () => [...asked],
    driver: (of) => ({
      ...of,
      knexConfig: (wanted) => ({ ...of.knexConfig(wanted), client: recordedClient() }),
      execute: async (_connection, sql, bindings) => run(sql, bindings),
      async openCursor(_connection, sql, bindings) {
        const { columns, rows } = run(sql, bindings);
        return {
          fetch: async () => ({ columns, rows, isLast: true }) as never,
          close: async () => {},
        };
      },
      cancel: async () => {},
      isWorking: async () => true,
      traffic: () => ({ received: 0, unsent: 0 }),
      destroy: () => {},
    }),
  };
}

function recordedClient(): typeof MssqlClient {
  return class RecordedClient extends MssqlClient {
    _driver(): object {
      return {};
    }

    override async acquireRawConnection(): Promise<TdsConnection> {
      return { connected: true, sessionId: 1, close() {}, cancel() {} } as unknown as TdsConnection;
    }

    override async destroyRawConnection(): Promise<void> {}
  };
}

function catalogueAnswer(
  tables: readonly CatalogueTable[],
  sql: string,
): Partial<StatementResult> | undefined {
  if (sql.includes('from sys.schemas')) return { columns: ['found'], rows: [[1]] };
  if (sql.includes('from sys.objects t left join sys.columns'))
    return { columns: columnNames, rows: columnRows(tables) };
  if (sql.includes('is_primary_key as is_primary'))
    return {
      columns: ['of', 'name', 'column_name', 'is_primary'],
      rows: tables.flatMap(({ name, key }) => key.map((column) => [name, `PK_${name}`, column, true])),
    };
  if (sql.includes('referential_action_desc as on_delete'))
    return {
      columns: ['of', 'name', 'column_name', 'target', 'target_column', 'on_delete', 'on_update'],
      rows: tables.flatMap(({ name, foreignKeys = [] }) =>
        foreignKeys.map((key) => [
          name,
          key.name,
          key.column,
          key.target,
          key.targetColumn,
          'NO_ACTION',
          'NO_ACTION',
        ]),
      ),
    };
  if (sql.includes('from sys.check_constraints r join')) return { columns: ['of', 'rule'], rows: [] };
  if (/^select type_name/.test(sql)) return { rows: [['nvarchar(100)', true, 'Latin1_General_CI_AS', null]] };
  return undefined;
}

const columnNames = [
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

function columnRows(tables: readonly CatalogueTable[]): unknown[][] {
  return tables.flatMap(({ name, columns, key }) =>
    columns.map(([column, type, counts]) => {
      const sizes = bytes[type] ?? [-1, 0, 0];
      return [name, 'U ', column, type, ...sizes, !key.includes(column), counts !== undefined, false, null];
    }),
  );
}

type Node = Readonly<Record<string, unknown>>;

/** One row with a value for each column of a text's last select. */
function rowOf(sql: string): Partial<StatementResult> {
  const statement = sql.startsWith('set nocount on')
    ? (/select [^;]* from #trellis_made[^;]*/.exec(sql)?.[0] ?? '')
    : sql;
  const module = polyglot as unknown as { readonly default?: typeof polyglot };
  const { ast } = (module.default ?? polyglot).parse(statement.replaceAll('?', '@p'), 'tsql' as never);
  const [tree] = (ast ?? []) as readonly Node[];
  const select = tree?.['select'] as { readonly expressions?: readonly Node[] } | undefined;
  const expressions = select?.expressions ?? [];
  return {
    columns: expressions.map((expression, at) => nameOf(expression) ?? `column${at}`),
    rows: [expressions.map((expression) => valueOf(expression))],
    changes: 1,
  };
}

function nameOf(expression: Node): string | undefined {
  const { alias, column } = expression as {
    readonly alias?: { readonly alias?: { readonly name?: string } };
    readonly column?: { readonly name?: { readonly name?: string } };
  };
  return alias?.alias?.name ?? column?.name?.name;
}

/** The value of the column that the expression shows; 1 for counted or computed values. */
function valueOf(expression: Node): unknown {
  const [, column = ''] = /"column":\{"name":\{"name":"([^"]*)"/.exec(JSON.stringify(expression)) ?? [];
  const isPlain = !/"(?:count|sum|max|min|avg|case|subquery)"/.test(JSON.stringify(expression));
  return isPlain ? (cells[column] ?? 1) : 1;
}
