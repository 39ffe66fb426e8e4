import type { ColumnEntity, ProjectEntity, Row, TableEntity } from '@trellis/sdk/shared';
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
import { kindOfColumn } from './formula-table.ts';

interface FormulaPreviewProps {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly columns: readonly ColumnEntity[];
  readonly run: (row: FormulaRow) => Value;
  readonly options: FormulaOptions;
}

const shownRows = 3;

/** What the formula gives for the first rows, worked out in the page while it is typed. */
export function FormulaPreview({ project, table, columns, run, options }: FormulaPreviewProps) {
  const t = useT();
  const rows = useFirstRows(project.id, table.id);
  if (rows === undefined || rows.length === 0) return null;
  const name = columns.find(({ pv }) => pv) ?? columns[0];
  return (
    <div className="tr-field">
      <span>{t('Preview')}</span>
      <table className="cf-preview">
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{nameOf(row, name) || t('Row {{number}}', { number: index + 1 })}</th>
              <td>
                {textOf(run(rowOf(row, columns)), options) || <span className="tr-note">{t('empty')}</span>}
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
    const path = `/api/v1/db/data/noco/${encodeURIComponent(projectId)}/${encodeURIComponent(tableId)}`;
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
  return {
    cell(columnId) {
      const column = columns.find(({ id }) => id === columnId);
      return column === undefined ? null : valueOfCell(kindOfColumn(column), row[column.title]);
    },
    now: Date.now(),
    id: columns
      .flatMap((column) => (column.pk ? [String(row[column.title] as string | number)] : []))
      .join('___'),
  };
}

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
