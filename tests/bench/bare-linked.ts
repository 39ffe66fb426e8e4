/**
 * The minimum cost of pages and groups of linked orders: handwritten SQL for each call, behind Koa. Answers the paths of
 * `linked-scenarios.ts`.
 *
 *   bare-linked.ts <SQLite file or PostgreSQL URL> <LinkedNames as JSON>
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import SqliteFile, { type Statement } from 'better-sqlite3';
import Koa from 'koa';
import pg from 'pg';
import type { LinkedNames } from './linked-tables.ts';

type Cells = Readonly<Record<string, unknown>>;
type AskRows = (sql: string) => Promise<readonly Cells[]>;

const [place = '', json = '{}'] = process.argv.slice(2);
const names = JSON.parse(json) as LinkedNames;
const isPostgres = place.startsWith('postgres:');
const ask = isPostgres ? postgresRows(place) : sqliteRows(place);

function sqliteRows(file: string): AskRows {
  const database = new SqliteFile(file);
  database.pragma('journal_mode = wal');
  const known = new Map<string, Statement>();
  return async (sql) => {
    const statement = known.get(sql) ?? database.prepare(sql);
    // Statements about a page's rows differ from page to page.
    if (known.size < 50) known.set(sql, statement);
    return statement.all() as Cells[];
  };
}

function postgresRows(url: string): AskRows {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  return async (sql) => (await pool.query(sql)).rows as Cells[];
}

const shown = `o."id", o."name", o."status", o."region", o."amount", o."amount" * 2 as doubled, o."${names.customerKey}" as customer_id`;
const totals = `select "${names.orderKey}" as order_id, sum("price") as total, max("quantity") as largest from "${names.lines}"`;
const nullsLast = isPostgres ? ' nulls last' : '';
const nullsFirst = isPostgres ? ' nulls first' : '';

/** The joined names of the rows that each order is linked to. */
function namesOfLinked(sort: 'Lines' | 'Tags'): string {
  const join = (name: string, by: string) =>
    isPostgres ? `string_agg(${name}, ', ' order by ${by})` : `group_concat(${name}, ', ' order by ${by})`;
  return sort === 'Lines'
    ? `select "${names.orderKey}" as order_id, ${join('"name"', '"id"')} as v from "${names.lines}"`
    : `select j."${names.orderOfTag}" as order_id, ${join('t."name"', 't."id"')} as v from "${names.junction}" j join "${names.tags}" t on t."id" = j."${names.tagOfOrder}"`;
}

/** A page's orders, sorted by the call's column. */
function ordersSql(sort: string | undefined): string {
  const from = `from "${names.orders}" o`;
  if (sort === undefined) return `select ${shown} ${from} order by o."id" limit 25`;
  if (sort === '-Amount')
    return `select ${shown} ${from} order by o."amount" desc${nullsLast}, o."id" limit 25`;
  if (sort === '-Total')
    return `select ${shown} ${from} left join (${totals} group by 1) s on s.order_id = o."id" order by s.total desc${nullsLast}, o."id" limit 25`;
  if (sort === 'Lines' || sort === 'Tags')
    return `select ${shown} ${from} left join (${namesOfLinked(sort)} group by 1) s on s.order_id = o."id" order by lower(s.v)${nullsFirst}, o."id" limit 25`;
  return `select ${shown} ${from} left join "${names.customers}" c on c."id" = o."${names.customerKey}" order by lower(c."name")${nullsFirst}, o."id" limit 25`;
}

function byOrder(rows: readonly Cells[]): ReadonlyMap<unknown, readonly Cells[]> {
  const found = new Map<unknown, Cells[]>();
  for (const row of rows) {
    const of = found.get(row.order_id);
    if (of === undefined) found.set(row.order_id, [row]);
    else of.push(row);
  }
  return found;
}

async function page(sort: string | undefined): Promise<unknown> {
  const orders = await ask(ordersSql(sort));
  const ids = orders.map((order) => String(order.id)).join(', ');
  const customerIds = orders.map((order) => String(order.customer_id)).join(', ');
  const [figures, customers, lines, tags] = await Promise.all([
    ask(`${totals} where "${names.orderKey}" in (${ids}) group by 1`),
    ask(`select "id", "name" from "${names.customers}" where "id" in (${customerIds})`),
    ask(
      `select "${names.orderKey}" as order_id, "id", "name" from "${names.lines}" where "${names.orderKey}" in (${ids}) order by "id"`,
    ),
    ask(
      `select j."${names.orderOfTag}" as order_id, t."id", t."name" from "${names.junction}" j join "${names.tags}" t on t."id" = j."${names.tagOfOrder}" where j."${names.orderOfTag}" in (${ids}) order by t."id"`,
    ),
  ]);
  const figuresOf = new Map(figures.map((row) => [row.order_id, row]));
  const customerOf = new Map(customers.map((row) => [row.id, row]));
  const linesOf = byOrder(lines);
  const tagsOf = byOrder(tags);
  const named = (rows: readonly Cells[] = []) => rows.map(({ id, name }) => ({ Id: id, Name: name }));
  return {
    list: orders.map((order) => {
      const customer = customerOf.get(order.customer_id);
      const figure = figuresOf.get(order.id);
      return {
        Id: order.id,
        Name: order.name,
        Status: order.status,
        Region: order.region,
        Amount: order.amount,
        [names.customerKey]: order.customer_id,
        Customer: customer && { Id: customer.id, Name: customer.name },
        Lines: named(linesOf.get(order.id)),
        Tags: named(tagsOf.get(order.id)),
        'Customer name': customer?.name,
        'Line names': linesOf.get(order.id)?.map(({ name }) => name) ?? [],
        Total: figure?.total ?? null,
        Largest: figure?.largest ?? null,
        Doubled: order.doubled,
      };
    }),
  };
}

async function groups(by: readonly string[]): Promise<unknown> {
  const columns = by.map((column) => `"${column.toLowerCase()}"`);
  const levels = await Promise.all(
    columns.map((_, level) => {
      const list = columns.slice(0, level + 1).join(', ');
      return ask(
        `select ${list}, count(*) as n, sum("amount") as total from "${names.orders}" group by ${list} order by ${list}`,
      );
    }),
  );
  return {
    levels: levels.map((rows, level) =>
      rows.map((row) => ({
        values: by.slice(0, level + 1).map((column) => row[column.toLowerCase()]),
        count: Number(row.n),
        figures: [row.total],
      })),
    ),
  };
}

const app = new Koa();
app.use(async (ctx) => {
  const query = new URLSearchParams(ctx.querystring);
  const by = query.get('groupArrJson');
  const answer =
    by === null
      ? page(query.get('sort') ?? undefined)
      : groups((JSON.parse(by) as { readonly name: string }[]).map(({ name }) => name));
  ctx.type = 'json';
  ctx.body = JSON.stringify(await answer);
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listens on http://localhost:${(server.address() as AddressInfo).port}\n`);
process.once('SIGTERM', () => process.exit(0));
