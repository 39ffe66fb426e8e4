/**
 * What the measured calls cost at least: Koa and better-sqlite3 in one thread, without accounts, rights, validation, change
 * records or a query language. Speaks the paths and the JSON of the API as far as the benchmark uses them.
 *
 *   bare-server.ts <file> <table id>=<table name>...
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import SqliteFile, { type Statement } from 'better-sqlite3';
import Koa from 'koa';
import { columns, written, type Cell } from './rows.ts';

const [file = '', ...tables] = process.argv.slice(2);
const database = new SqliteFile(file);
database.pragma('journal_mode = wal');
database.pragma('synchronous = full');
database.pragma('foreign_keys = on');

const selected = columns.map(({ column_name, title }) => `"${column_name}" as "${title}"`).join(', ');
const names = new Map(columns.map(({ title, column_name }) => [title as string, column_name as string]));

function statementsOf(table: string) {
  const known = new Map<string, Statement>();
  return {
    insertRow: `insert into "${table}" (${written.map((column) => `"${column.column_name}"`).join(', ')}) values (${written.map(() => '?').join(', ')})`,
    select: `select ${selected} from "${table}"`,
    count: `select count(*) as n from "${table}"`,
    table,
    prepared(sql: string): Statement {
      const statement = known.get(sql) ?? database.prepare(sql);
      known.set(sql, statement);
      return statement;
    },
  };
}

type Statements = ReturnType<typeof statementsOf>;
const byId = new Map(
  tables.map((pair) => {
    const [id = '', name = ''] = pair.split('=');
    return [id, statementsOf(name)];
  }),
);

const stored = (cell: Cell | undefined) => (typeof cell === 'boolean' ? Number(cell) : cell);

function shown(row: unknown): unknown {
  const cells = row as { Done: number | boolean };
  cells.Done = cells.Done === 1;
  return cells;
}

function list(of: Statements, query: URLSearchParams): unknown {
  const limit = Number(query.get('limit') ?? 25);
  const offset = Number(query.get('offset') ?? 0);
  const [, title = '', least] = /^\((\w+),gt,(\d+)\)$/.exec(query.get('where') ?? '') ?? [];
  const where = least === undefined ? '' : ` where "${names.get(title)}" > ?`;
  const bindings = least === undefined ? [] : [Number(least)];
  const sort = query.get('sort')?.replace('-', '');
  const order = sort ? `"${names.get(sort)}" desc, "id"` : '"id"';
  const rows = of.prepared(`${of.select}${where} order by ${order} limit ? offset ?`);
  const shownRows = rows.all(...bindings, limit, offset).map(shown);
  if (query.get('count') === 'false') return { list: shownRows };
  const { n } = of.prepared(`${of.count}${where}`).get(...bindings) as { n: number };
  const page = offset / limit + 1;
  const isLastPage = page === Math.max(1, Math.ceil(n / limit));
  const pageInfo = { totalRows: n, page, pageSize: limit, isFirstPage: page === 1, isLastPage };
  return { list: shownRows, pageInfo };
}

function read(of: Statements, id: number | bigint): unknown {
  return shown(of.prepared(`${of.select} where "id" = ?`).get(id));
}

function insert(of: Statements, row: Readonly<Record<string, Cell>>): number | bigint {
  return of.prepared(of.insertRow).run(...written.map((column) => stored(row[column.title]))).lastInsertRowid;
}

function update(of: Statements, id: number, row: Readonly<Record<string, Cell>>): unknown {
  const titles = Object.keys(row);
  const assignments = titles.map((title) => `"${names.get(title)}" = ?`).join(', ');
  of.prepared(`update "${of.table}" set ${assignments} where "id" = ?`).run(
    ...titles.map((title) => stored(row[title])),
    id,
  );
  return read(of, id);
}

const insertAll = database.transaction((of: Statements, rows: readonly Readonly<Record<string, Cell>>[]) =>
  rows.map((row) => ({ Id: Number(insert(of, row)) })),
);

const app = new Koa();
app.use(async (ctx) => {
  const parts = ctx.path.split('/').slice(5);
  const isBulk = parts[0] === 'bulk';
  const [, , id = '', row] = isBulk ? parts.slice(1) : parts;
  const of = byId.get(id);
  if (of === undefined) return;
  ctx.type = 'json';
  let body: unknown;
  if (ctx.method !== 'GET') {
    const pieces: Buffer[] = [];
    for await (const piece of ctx.req) pieces.push(piece as Buffer);
    body = JSON.parse(Buffer.concat(pieces).toString());
  }
  if (isBulk) ctx.body = JSON.stringify(insertAll(of, body as Record<string, Cell>[]));
  else if (ctx.method === 'POST')
    ctx.body = JSON.stringify(read(of, insert(of, body as Record<string, Cell>)));
  else if (ctx.method === 'PATCH')
    ctx.body = JSON.stringify(update(of, Number(row), body as Record<string, Cell>));
  else if (row !== undefined) ctx.body = JSON.stringify(read(of, Number(row)));
  else ctx.body = JSON.stringify(list(of, new URLSearchParams(ctx.querystring)));
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listens on http://localhost:${(server.address() as AddressInfo).port}\n`);
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => database.close());
});
