import type { CellValue, ColumnEntity, RegistryView, Row, TableEntity } from '@trellis/sdk/shared';
import {
  columnContext,
  type AddressedAnswer,
  type AddressedAnswers,
  type ReadCell,
  type WebColumnType,
  nameOfRow,
  type FoundPage,
} from '@trellis/sdk/web';
import { linkedRowsOf, nameOf, textOf } from '../shared/index.ts';
import { candidatesRequest, linkedRowOf, linkOf, tableRequest } from './link-calls.ts';

/** Precedes a row's key in an address that names the row by its key. */
const byKey = 'id:';
/** Maximum number of rows that an address can name for a column. */
const most = 25;

/**
 * How the addresses of forms name linked rows: by the name that people see, or by the key as `id:7`; several are repeated or
 * separated by commas. A number that is no row's name is treated as a key.
 */
export function addressedLinks(types: Pick<RegistryView<WebColumnType>, 'get'>): AddressedAnswers {
  return {
    async read(texts, of): Promise<ReadCell> {
      const { column, t } = of;
      const link = linkOf(column);
      const other = link && (await tableOf(link.tableId, of));
      const gone = t('The linked table cannot be read.');
      if (link === undefined || other === undefined) return { ok: false, message: gone };
      const asked = texts.map((text) => text.trim()).filter((text) => text !== '');
      const found = await rowsBy([...new Set(asked.flatMap(namesIn))].slice(0, most * 2), other, of, types);
      const chosen: Row[] = [];
      // A name may itself contain commas.
      const names = asked.flatMap((text) =>
        rowsNamed(text, other, found).length > 0 ? [text] : split(text),
      );
      if (names.length > (link.type === 'bt' ? 1 : most))
        return { ok: false, message: t('There are more rows than the field takes.') };
      for (const name of names) {
        const rows = rowsNamed(name, other, found);
        const [row] = rows;
        if (row === undefined)
          return { ok: false, message: t('No row to choose is called “{{name}}”.', { name }) };
        if (rows.length > 1)
          return {
            ok: false,
            message: t('Several rows are called “{{name}}”: name one by its key, as {{example}}.', {
              name,
              example: `${byKey}7`,
            }),
          };
        chosen.push(row);
      }
      const value = chosen.map((row) => linkedRowOf(other, row));
      return { ok: true, value: value.length === 0 ? null : (value as CellValue) };
    },
    write: (value) =>
      linkedRowsOf(value).map((row) => {
        // The key and the name, or only a key that is also the name.
        const parts = Object.values(row);
        return parts.length <= 2 ? `${byKey}${textOf(parts[0] ?? null)}` : nameOf(row);
      }),
  };
}

const split = (text: string) => text.split(',').flatMap((part) => part.trim() || []);
const namesIn = (text: string) => [text, ...split(text)];

function tableOf(
  tableId: string,
  { visit, request }: AddressedAnswer,
): TableEntity | undefined | Promise<TableEntity> {
  return visit === undefined ? request<TableEntity>(tableRequest(tableId)) : visit.tables?.[tableId];
}

/** The rows that any of the names may mean. */
async function rowsBy(
  names: readonly string[],
  other: TableEntity,
  of: AddressedAnswer,
  types: Pick<RegistryView<WebColumnType>, 'get'>,
): Promise<readonly Row[]> {
  const columns = namingColumns(other);
  const filters = columns.flatMap(({ column, isKey }) =>
    names.flatMap((name) => {
      const value = isKey && name.startsWith(byKey) ? name.slice(byKey.length) : name;
      const type = types.get(column.uidt);
      // If the column cannot hold the text, no cell contains it.
      const isValue = type === undefined || type.parse(value, columnContext(column, type)).ok;
      return isValue ? [{ fk_column_id: column.id, comparison_op: 'eq', value, logical_op: 'or' }] : [];
    }),
  );
  if (filters.length === 0) return [];
  const query = {
    fields: columns.map(({ column: { title } }) => title).join(','),
    limit: '100',
    filterArrJson: JSON.stringify(filters),
  };
  return (await of.request<FoundPage>(candidatesRequest(of, other, query))).list;
}

/** The columns that name a row: its key, if that is a single column, and its display value. */
function namingColumns({ columns = [] }: TableEntity) {
  const keys = columns.filter(({ pk }) => pk);
  const key: readonly ColumnEntity[] = keys.length === 1 ? keys : [];
  const display = columns.filter(({ pv, virtual }) => pv && virtual !== true);
  return [
    ...key.map((column) => ({ column, isKey: true })),
    ...display.filter((column) => !key.includes(column)).map((column) => ({ column, isKey: false })),
  ];
}

function rowsNamed(name: string, other: TableEntity, rows: readonly Row[]): readonly Row[] {
  const key = namingColumns(other).find(({ isKey }) => isKey)?.column.title;
  const keyed = (text: string) =>
    rows.filter((row) => key !== undefined && textOf(row[key] ?? null) === text);
  if (name.startsWith(byKey)) return keyed(name.slice(byKey.length));
  const called = rows.filter((row) => nameOfRow(other, row) === name);
  if (called.length > 0) return called;
  const alike = rows.filter((row) => nameOfRow(other, row).toLowerCase() === name.toLowerCase());
  return alike.length > 0 ? alike : keyed(name);
}
