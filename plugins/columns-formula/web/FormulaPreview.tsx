import {
  dataPath,
  formatRowKey,
  type CellValue,
  type ColumnEntity,
  type ProjectEntity,
  type Row,
  type TableEntity,
} from '@trellis/sdk/shared';
import { useApi, useT } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';
import {
  cellOfValue,
  formula,
  valueOfCell,
  type FormulaCell,
  type FormulaOptions,
  type FormulaRow,
  type Value,
} from '../shared/index.ts';
import { isList, kindOfColumn } from './formula-table.ts';

interface FormulaPreviewProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly columns: readonly ColumnEntity[];
  /** As it is typed. */
  readonly text: string;
  /** The column with the formula; undefined for a new one. */
  readonly columnId: string | undefined;
  readonly run: (row: FormulaRow) => Value;
  readonly options: FormulaOptions;
}

const shownRows = 3;
/** Milliseconds after the last key before the server is asked. */
const pause = 300;
/** The maximum number of list values in a cell: a list of this length may have more. */
const mostInCell = 25;

/**
 * The formula's results for the first rows: computed in the page while typing, and then by the database, whose numbers have more
 * digits than the page's.
 */
export function FormulaPreview(props: FormulaPreviewProps) {
  const { project, table, columns, text, columnId, run, options } = props;
  const t = useT();
  const rows = useFirstRows(project.id, table.id);
  const computed = useComputed({ tableId: table.id, text, columnId });
  if (rows === undefined || rows.length === 0) return null;
  const name = columns.find(({ pv }) => pv) ?? columns[0];
  const previewOf = (row: Row): string => {
    const given = rowOf(row, columns);
    let isCut = false;
    const list: FormulaRow['list'] = (columnId) => {
      const values = given.list(columnId);
      isCut ||= values.length >= mostInCell;
      return values;
    };
    const value = run({ ...given, list });
    return isCut ? t('of more values than are read here') : textOf(cellOfValue(value), options);
  };
  return (
    <div className="tr-field">
      <span>{t('Preview')}</span>
      <table className="cf-preview">
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{nameOf(row, name) || t('Row {{number}}', { number: index + 1 })}</th>
              <td>
                {(computed === undefined
                  ? previewOf(row)
                  : textOf((computed[index] ?? null) as FormulaCell | null, options)) || (
                  <span className="tr-note">{t('empty')}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function useFirstRows(projectId: string, tableId: string): readonly Row[] | undefined {
  const api = useApi();
  const [rows, setRows] = useState<readonly Row[]>();
  useEffect(() => {
    const abort = new AbortController();
    const path = dataPath(projectId, tableId);
    api
      .request<{ readonly list: readonly Row[] }>({ path, query: { limit: shownRows }, signal: abort.signal })
      .then(({ list }) => setRows(list))
      // A formula can be written without a preview.
      .catch(() => setRows([]));
    return () => abort.abort();
  }, [api, projectId, tableId]);
  return rows;
}

/** The database's results; undefined until it has answered for this formula. */
function useComputed({
  tableId,
  text,
  columnId,
}: Pick<FormulaPreviewProps, 'text' | 'columnId'> & { readonly tableId: string }):
  readonly CellValue[] | undefined {
  const api = useApi();
  const [found, setFound] = useState<{ readonly text: string; readonly list: readonly CellValue[] }>();
  useEffect(() => {
    const abort = new AbortController();
    const ask = () =>
      api
        .request<{ readonly list: readonly CellValue[] }>({
          method: 'POST',
          path: `/api/v1/plugins/columns-formula/tables/${tableId}/formula-preview`,
          body: { formula: text, ...(columnId !== undefined && { columnId }) },
          signal: abort.signal,
        })
        .then(({ list }) => setFound({ text, list }))
        // A formula's problem is shown under it, or reported when it is saved.
        .catch(() => undefined);
    const timer = setTimeout(() => void ask(), pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, tableId, text, columnId]);
  return found?.text === text ? found.list : undefined;
}

function rowOf(row: Row, columns: readonly ColumnEntity[]): FormulaRow {
  const values = (columnId: string) => {
    const column = columns.find(({ id }) => id === columnId);
    if (column === undefined) return [];
    const cell = row[column.title] ?? null;
    const kind = kindOfColumn(column);
    return (isList(column) && Array.isArray(cell) ? cell : [cell]).map((one) =>
      valueOfCell(kind, nameOfRow(one)),
    );
  };
  return {
    cell: (columnId) => values(columnId)[0] ?? null,
    list: values,
    now: Date.now(),
    id: formatRowKey(columns.flatMap((column) => (column.pk ? [row[column.title] ?? null] : []))),
  };
}

/** A list may contain linked rows, each with its name after its key. */
const nameOfRow = (cell: unknown) =>
  typeof cell === 'object' && cell !== null && !Array.isArray(cell) ? Object.values(cell).at(-1) : cell;

function nameOf(row: Row, column: ColumnEntity | undefined): string {
  const value = column === undefined ? null : row[column.title];
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

function textOf(value: FormulaCell | null, options: FormulaOptions): string {
  return formula.format(value, {
    id: '',
    title: '',
    required: false,
    storage: 'virtual',
    options,
  });
}
