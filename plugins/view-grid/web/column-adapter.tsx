import type { CellValue, ColumnContext, ColumnEntity, Row } from '@trellis/sdk/shared';
import type { Translate, WebColumnType } from '@trellis/sdk/web';
import type { ComponentType, ReactNode } from 'react';
import type { ShownColumn } from './view-columns.ts';
import type {
  GridCellProps,
  GridCellType,
  GridColumn,
  GridEditorProps,
  GridMove,
  GridRowData,
} from './grid/index.ts';

/**
 * Makes a column of the grid. `cellType` is made apart, because it must stay the same object while only the width or the
 * place of a column changes: its cells would be mounted anew.
 */
export function toGridColumn(
  { column, width }: ShownColumn,
  type: WebColumnType | undefined,
  cellType: GridCellType,
  t: Translate,
): GridColumn {
  const reason = whyReadOnly(column, type, t);
  return {
    id: column.id,
    title: column.title,
    width,
    type: cellType,
    frozen: column.pv,
    primary: column.pv,
    required: column.rqd && !column.ai && column.cdf === null,
    readOnly: reason !== undefined,
    readOnlyReason: reason,
    icon: `pi pi-${type?.icon ?? 'question-circle'}`,
  };
}

function whyReadOnly(
  column: ColumnEntity,
  type: WebColumnType | undefined,
  t: Translate,
): string | undefined {
  const { title, uidt } = column;
  if (type === undefined) {
    return t('The column type {{type}} is switched off: its values are shown, not changed.', { type: uidt });
  }
  if (type.editable === false || column.virtual === true)
    return t('“{{title}}” is worked out, not typed.', { title });
  if (column.ai || column.au || (column.system && column.uidt !== 'ForeignKey'))
    return t('“{{title}}” is filled in by the database.', { title });
  return undefined;
}

/** How the values of a column are drawn and edited; without its type they are shown as they are stored. */
export function toCellType(
  column: ColumnEntity,
  columns: readonly ColumnEntity[],
  type: WebColumnType | undefined,
  t: Translate,
): GridCellType {
  if (type === undefined) return rawType;
  const context: ColumnContext = {
    id: column.id,
    title: column.title,
    required: column.rqd,
    storage: type.storage,
    options: { ...type.options?.defaults, ...column.meta },
  };
  const toText = (value: unknown): string => type.format(toCellValue(value), context);
  const inPlace = typeof type.Editor === 'string';
  return {
    Cell: adaptCell(type, context, column, columns, toText),
    Editor: typeof type.Editor === 'string' ? undefined : adaptEditor(type.Editor, context, column),
    editsInPlace: inPlace && type.toggle === undefined,
    align: type.align,
    toText,
    fromText: (text) => {
      const parsed = type.parse(text === '' ? null : text, context);
      if (!parsed.ok) return parsed;
      if (parsed.value === null) {
        return column.rqd
          ? { ok: false, message: t('“{{title}}” must not be empty.', { title: column.title }) }
          : parsed;
      }
      const problem = type.validate?.(parsed.value, context);
      return problem === undefined ? parsed : { ok: false, message: problem };
    },
    toggles: type.toggle && ((value) => type.toggle?.(toCellValue(value))),
  };
}

function adaptCell(
  type: WebColumnType,
  { options }: ColumnContext,
  column: ColumnEntity,
  columns: readonly ColumnEntity[],
  toText: (value: unknown) => string,
): ComponentType<GridCellProps> {
  const Cell = type.Cell;
  if (Cell === undefined) {
    return function PlainCell({ value }: GridCellProps): ReactNode {
      return <span className="tgrid-text">{toText(value)}</span>;
    };
  }
  return function ColumnCell({ value, row, selected, commit }: GridCellProps): ReactNode {
    return (
      <Cell
        value={toCellValue(value)}
        row={titledRow(row, columns)}
        column={column}
        options={options}
        selected={selected}
        onChange={commit}
      />
    );
  };
}

const moves = { down: 'down', up: 'up', right: 'next', left: 'previous' } as const satisfies Record<
  string,
  GridMove
>;

function adaptEditor(
  Editor: Exclude<WebColumnType['Editor'], string>,
  { options }: ColumnContext,
  column: ColumnEntity,
): ComponentType<GridEditorProps> {
  return function ColumnEditor({ value, initialText, onCommit, onCancel }: GridEditorProps): ReactNode {
    return (
      <Editor
        value={toCellValue(value)}
        initialText={initialText}
        column={column}
        options={options}
        autoFocus
        onCommit={(next, move) => onCommit(next, move && moves[move])}
        onCancel={onCancel}
      />
    );
  };
}

/** A column whose type is not there: its values as text, for reading and copying. */
const rawType: GridCellType = {
  Cell: ({ value }) => <span className="tgrid-text">{rawText(value)}</span>,
  editsInPlace: false,
  toText: rawText,
  fromText: (text) => ({ ok: true, value: text }),
};

function rawText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Cells hold what the API gave; a value that is not there at all is an empty cell. */
function toCellValue(value: unknown): CellValue {
  return (value ?? null) as CellValue;
}

const titledRows = new WeakMap<object, { readonly columns: readonly ColumnEntity[]; readonly row: Row }>();

/** The row by titles, as column types know it; made once per row. */
function titledRow({ values }: GridRowData, columns: readonly ColumnEntity[]): Row {
  const known = titledRows.get(values);
  if (known?.columns === columns) return known.row;
  const row: Row = Object.fromEntries(columns.map(({ id, title }) => [title, toCellValue(values[id])]));
  titledRows.set(values, { columns, row });
  return row;
}
