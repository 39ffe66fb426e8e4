/**
 * What the measured calls cost at least: Koa and the driver of the database in one thread, without accounts, rights, validation,
 * change log or a query language. Speaks the paths and the JSON of the API as far as the benchmark uses them.
 *
 *   bare-server.ts <SQLite file or PostgreSQL URL> <table id>=<table name>...
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { openBarePostgres } from './bare-postgres.ts';
import { openBareSqlite } from './bare-sqlite.ts';
import { columnOf, type BareRow, type BareTable } from './bare-table.ts';

const [place = '', ...tables] = process.argv.slice(2);
const database = place.startsWith('postgres:') ? openBarePostgres(place) : openBareSqlite(place);
const byId = new Map(
  tables.map((pair) => {
    const [id = '', name = ''] = pair.split('=');
    return [id, database.table(name)];
  }),
);

async function list(of: BareTable, query: URLSearchParams): Promise<unknown> {
  const limit = Number(query.get('limit') ?? 25);
  const offset = Number(query.get('offset') ?? 0);
  const isCounted = query.get('count') !== 'false';
  const [, title = '', least] = /^\((\w+),gt,(\d+)\)$/.exec(query.get('where') ?? '') ?? [];
  const above = least === undefined ? undefined : { column: columnOf(title), least: Number(least) };
  const sort = query.get('sort')?.replace('-', '');
  const { rows, count } = await of.page({
    limit,
    offset,
    above,
    sort: sort ? columnOf(sort) : undefined,
    isCounted,
  });
  if (!isCounted) return { list: rows };
  const page = offset / limit + 1;
  const isLastPage = page === Math.max(1, Math.ceil(count / limit));
  const pageInfo = { totalRows: count, page, pageSize: limit, isFirstPage: page === 1, isLastPage };
  return { list: rows, pageInfo };
}

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
  if (isBulk) ctx.body = JSON.stringify(await of.insertAll(body as BareRow[]));
  else if (ctx.method === 'POST') ctx.body = JSON.stringify(await of.insert(body as BareRow));
  else if (ctx.method === 'PATCH') ctx.body = JSON.stringify(await of.update(Number(row), body as BareRow));
  else if (row !== undefined) ctx.body = JSON.stringify(await of.read(Number(row)));
  else ctx.body = JSON.stringify(await list(of, new URLSearchParams(ctx.querystring)));
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listens on http://localhost:${(server.address() as AddressInfo).port}\n`);
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => void database.close());
});
