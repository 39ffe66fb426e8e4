import {
  dataPath,
  formatRowKey,
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
  type FormulaOptions,
  type FormulaRow,
  type Value,
} from '../shared/index.ts';
import { isList, kindOfColumn } from './formula-table.ts';

interface FormulaPreviewProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly columns: readonly ColumnEntity[];
  readonly run: (row: FormulaRow) => Value;
  readonly options: FormulaOptions;
}

const shownRows = 3;
/** Values of a list that a cell shows at the most: with so many there may be more. */
const mostInCell = 25;

/** What the formula gives for the first rows, worked out in the page while it is typed. */
export function FormulaPreview({ project, table, columns, run, options }: FormulaPreviewProps) {
  const t = useT();
  const rows = useFirstRows(project.id, table.id);
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
    return isCut ? t('of more values than are read here') : textOf(value, options);
  };
  return (
    <div className="tr-field">
      <span>{t('Preview')}</span>
      <table className="cf-preview">
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{nameOf(row, name) || t('Row {{number}}', { number: index + 1 })}</th>
              <td>{previewOf(row) || <span className="tr-note">{t('empty')}</span>}</td>
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

/** A list may hold linked rows, each with its name behind its key. */
const nameOfRow = (cell: unknown) =>
  typeof cell === 'object' && cell !== null && !Array.isArray(cell) ? Object.values(cell).at(-1) : cell;

function nameOf(row: Row, column: ColumnEntity | undefined): string {
  const value = column === undefined ? null : row[column.title];
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

function textOf(value: Value, options: FormulaOptions): string {
  return formula.format(cellOfValue(value), {
    id: '',
    title: '',
    required: false,
    storage: 'virtual',
    options,
  });
}
