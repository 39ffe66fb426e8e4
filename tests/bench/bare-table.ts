import { columns, type Cell } from './rows.ts';

export type BareRow = Readonly<Record<string, Cell>>;

/** The parameters of the benchmark's list calls. */
export interface BareQuery {
  readonly limit: number;
  readonly offset: number;
  /** A column's name and the number that its cells must exceed. */
  readonly above: { readonly column: string; readonly least: number } | undefined;
  /** The column's name; descending. */
  readonly sort: string | undefined;
  readonly isCounted: boolean;
}

/** One table of a bare server. */
export interface BareTable {
  page(query: BareQuery): Promise<{ readonly rows: readonly unknown[]; readonly count: number }>;
  read(id: number): Promise<unknown>;
  insert(row: BareRow): Promise<unknown>;
  insertAll(rows: readonly BareRow[]): Promise<readonly unknown[]>;
  update(id: number, row: BareRow): Promise<unknown>;
}

/** Opens a table by its name. */
export type OpenBareTable = (name: string) => BareTable;

export const selected = columns.map(({ column_name, title }) => `"${column_name}" as "${title}"`).join(', ');
const names = new Map(columns.map(({ title, column_name }) => [title as string, column_name as string]));

export function columnOf(title: string): string {
  return names.get(title) ?? '';
}

/** The statements of a list, with `?` for each value. */
export function listSql(
  table: string,
  { above, sort }: BareQuery,
): { readonly rows: string; readonly count: string } {
  const where = above === undefined ? '' : ` where "${above.column}" > ?`;
  const order = sort === undefined ? '"id"' : `"${sort}" desc, "id"`;
  return {
    rows: `select ${selected} from "${table}"${where} order by ${order} limit ? offset ?`,
    count: `select count(*) as n from "${table}"${where}`,
  };
}
