import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';

/** Calls the product's API as the project's owner. */
export type Ask = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;

/** The database names of orders, their customers, lines and tags, and of the linking columns. */
export interface LinkedNames {
  readonly orders: string;
  readonly customers: string;
  readonly lines: string;
  readonly tags: string;
  readonly junction: string;
  /** In orders. */
  readonly customerKey: string;
  /** In lines. */
  readonly orderKey: string;
  /** In the junction table. */
  readonly orderOfTag: string;
  readonly tagOfOrder: string;
}

export interface LinkedTables {
  readonly projectId: string;
  readonly ordersId: string;
  /** The orders' columns to group by, the outer one first. */
  readonly groupColumns: readonly { readonly id: string; readonly name: string }[];
  readonly names: LinkedNames;
}

const id = { title: 'Id', column_name: 'id', uidt: 'ID', pk: true, ai: true, rqd: true };
const text = (title: string) => ({ title, column_name: title.toLowerCase(), uidt: 'SingleLineText' });
const number = (title: string) => ({ title, column_name: title.toLowerCase(), uidt: 'Number' });

/** Creates a table of orders with 3 links, 2 lookups, 2 rollups and 1 formula, and its linked tables. */
export async function makeLinkedTables(ask: Ask): Promise<LinkedTables> {
  const projects = '/api/v1/db/meta/projects';
  const project = (await ask('POST', projects, { title: 'Bench' })) as { readonly id: string };
  const make = async (title: string, columns: readonly object[]) =>
    (await ask('POST', `${projects}/${project.id}/tables`, {
      title,
      table_name: title.toLowerCase(),
      columns: [id, ...columns],
    })) as TableEntity;
  const customers = await make('Customers', [text('Name')]);
  const tags = await make('Tags', [text('Name')]);
  const orders = await make('Orders', [text('Name'), text('Status'), text('Region'), number('Amount')]);
  const lines = await make('Lines', [text('Name'), number('Price'), number('Quantity')]);
  const add = async (body: object, table = orders) =>
    (await ask('POST', `/api/v1/db/meta/tables/${table.id}/columns`, body)) as TableEntity;
  const link = { uidt: 'LinkToAnotherRecord' };
  await add({ ...link, title: 'Customer', type: 'bt', parentId: customers.id, childId: orders.id });
  await add({ ...link, title: 'Lines', type: 'hm', parentId: orders.id, childId: lines.id });
  const linked = await add({ ...link, title: 'Tags', type: 'mm', parentId: orders.id, childId: tags.id });
  const [customer, line, tag] = ['Customer', 'Lines', 'Tags'].map((title) => columnOf(linked, title));
  const reached = (from: ColumnEntity | undefined, to: TableEntity, title: string, property: string) => ({
    fk_relation_column_id: from?.id,
    [property]: columnOf(to, title).id,
  });
  const lookedUp = 'fk_lookup_column_id';
  const rolledUp = 'fk_rollup_column_id';
  const columns = [
    { title: 'Customer name', uidt: 'Lookup', ...reached(customer, customers, 'Name', lookedUp) },
    { title: 'Line names', uidt: 'Lookup', ...reached(line, lines, 'Name', lookedUp) },
    {
      title: 'Total',
      uidt: 'Rollup',
      rollup_function: 'sum',
      ...reached(line, lines, 'Price', rolledUp),
    },
    {
      title: 'Largest',
      uidt: 'Rollup',
      rollup_function: 'max',
      ...reached(line, lines, 'Quantity', rolledUp),
    },
    { title: 'Doubled', uidt: 'Formula', formula: '{Amount} * 2', formula_raw: '{Amount} * 2' },
  ];
  for (const column of columns) await add(column);
  const tableOf = async (tableId: unknown) =>
    (await ask('GET', `/api/v1/db/meta/tables/${String(tableId)}`)) as TableEntity;
  const options = (tag as { readonly colOptions?: Record<string, unknown> } | undefined)?.colOptions ?? {};
  const junction = await tableOf(options.fk_mm_model_id);
  const nameOf = (columnId: unknown) => nameIn(junction, (column) => column.id === columnId);
  const isForeignKey = ({ uidt }: ColumnEntity) => uidt === 'ForeignKey';
  return {
    projectId: project.id,
    ordersId: orders.id,
    groupColumns: ['Status', 'Region'].map((title) => ({
      id: columnOf(orders, title).id,
      name: title.toLowerCase(),
    })),
    names: {
      orders: orders.table_name,
      customers: customers.table_name,
      lines: lines.table_name,
      tags: tags.table_name,
      junction: junction.table_name,
      customerKey: nameIn(await tableOf(orders.id), isForeignKey),
      orderKey: nameIn(await tableOf(lines.id), isForeignKey),
      orderOfTag: nameOf(options.fk_mm_child_column_id),
      tagOfOrder: nameOf(options.fk_mm_parent_column_id),
    },
  };
}

function columnOf(table: TableEntity, title: string): ColumnEntity {
  const column = table.columns?.find((candidate) => candidate.title === title);
  if (column === undefined) throw new Error(`The table ${table.title} has no column ${title}`);
  return column;
}

function nameIn(table: TableEntity, is: (column: ColumnEntity) => boolean): string {
  const name = table.columns?.find(is)?.column_name;
  if (typeof name !== 'string') throw new Error(`The table ${table.title} lacks the column of a link`);
  return name;
}

const tagCount = 100;

/** Statements that add `rows` orders with two lines and one tag each; a customer has ten orders. */
export function fillingLinked(names: LinkedNames, rows: number): readonly string[] {
  const customers = rows / 10;
  return [
    `insert into "${names.customers}" ("id", "name") select n, 'Customer ' || n from numbers(${customers})`,
    `insert into "${names.tags}" ("id", "name") select n, 'Tag ' || n from numbers(${tagCount})`,
    `insert into "${names.orders}" ("id", "name", "status", "region", "amount", "${names.customerKey}")
      select n, 'Order ' || n, 'Status ' || (n % 8), 'Region ' || (n * 31 % 20), cast(n as bigint) * 7919 % 1000000, cast(n as bigint) * 31 % ${customers} + 1
      from numbers(${rows})`,
    `insert into "${names.lines}" ("id", "name", "price", "quantity", "${names.orderKey}")
      select n, 'Line ' || n, cast(n as bigint) * 7919 % 1000, n % 90, cast(n as bigint) * 7919 % ${rows} + 1
      from numbers(${rows * 2})`,
    `insert into "${names.junction}" ("${names.orderOfTag}", "${names.tagOfOrder}")
      select n, n % ${tagCount} + 1 from numbers(${rows})`,
  ];
}
