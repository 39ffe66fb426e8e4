import type { CellValue, ColumnEntity } from '../../shared/index.ts';
import { Component, memo, Suspense, type ReactNode } from 'react';
import { columnContext, showCell } from '../columns.ts';
import type { DrawnPart } from '../contribution.tsx';
import type { GridActions } from './grid-actions.ts';
import type { Translate } from '../context.ts';
import { type CellEdit, type RowData, titledRow } from '../rows/index.ts';
import { type GridColumn, shownText } from './grid-column.ts';

export interface GridCellViewProps {
  readonly id: string;
  readonly column: GridColumn;
  readonly columnIndex: number;
  readonly row: RowData;
  readonly index: number;
  readonly value: unknown;
  readonly edit: CellEdit | undefined;
  readonly left: number;
  readonly active: boolean;
  readonly selected: boolean;
  /** The sides of the selected range that this cell lies on: any of `t`, `b`, `l`, `r`. */
  readonly edges: string;
  /** Whether the current fill would cover this cell. */
  readonly filling: boolean;
  readonly hasHandle: boolean;
  readonly editable: boolean;
  readonly actions: GridActions;
  /** All columns of the table, including hidden ones. */
  readonly tableColumns: readonly ColumnEntity[];
  readonly t: Translate;
}

/** One cell: its position, its marks, and the column type's component inside. */
export const GridCell = memo(function GridCell(props: GridCellViewProps): ReactNode {
  const {
    id,
    column,
    columnIndex,
    row,
    index,
    value,
    edit,
    left,
    active,
    selected,
    edges,
    filling,
    hasHandle,
    editable,
    actions,
    tableColumns,
    t,
  } = props;
  const { entity, type } = column;
  const classes = ['tgrid-cell', `tgrid-align-${type?.align ?? 'start'}`];
  if (active) classes.push('is-active');
  else if (selected) classes.push('is-selected');
  if (edges !== '') classes.push('is-outlined');
  if (filling) classes.push('is-filling');
  for (const edge of edges) classes.push(`edge-${edge}`);
  if (edit !== undefined) classes.push(`is-${edit.kind}`);
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={columnIndex + 2}
      aria-selected={active || selected}
      // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA has it for gridcell
      aria-readonly={editable ? undefined : true}
      aria-invalid={edit?.kind === 'failed' ? true : undefined}
      className={classes.join(' ')}
      style={{ insetInlineStart: left, width: column.width }}
      title={edit?.kind === 'failed' ? edit.message : undefined}
    >
      {edit?.kind === 'failed' ? (
        <span className="tgrid-text">{shownText(edit.text, column)}</span>
      ) : (
        <CellBoundary column={column} value={value} actions={actions} t={t}>
          {type?.Cell === undefined ? (
            <span className="tgrid-text">{showCell(value, entity, type)}</span>
          ) : (
            <Suspense>
              <type.Cell
                value={(value ?? null) as CellValue}
                row={titledRow(row.values, tableColumns)}
                rowKey={row.key}
                column={entity}
                options={columnContext(entity, type).options}
                selected={active || selected}
                onChange={editable ? (next) => actions.writeFromCell(row, index, column, next) : undefined}
                openWhole={
                  editable && type.WholeEditor !== undefined
                    ? () => actions.openWhole(row, index, column)
                    : undefined
                }
              />
            </Suspense>
          )}
        </CellBoundary>
      )}
      {hasHandle && <span className="tgrid-fill" data-grid-control="" aria-hidden="true" />}
    </div>
  );
});

interface CellBoundaryProps {
  readonly column: GridColumn;
  readonly value: unknown;
  readonly actions: GridActions;
  readonly t: Translate;
  readonly children: ReactNode;
}

interface CellBoundaryState {
  readonly error: Error | undefined;
  /** The props for which the component threw; undefined until they are seen after the error. */
  readonly cause: { readonly value: unknown; readonly type: GridColumn['type'] } | undefined;
}

/** Contains an exception of a column type, and endless rendering, inside its cell. Another value or another type is tried again. */
class CellBoundary extends Component<CellBoundaryProps, CellBoundaryState> implements DrawnPart {
  override state: CellBoundaryState = { error: undefined, cause: undefined };

  static getDerivedStateFromError(thrown: unknown): CellBoundaryState {
    return { error: toError(thrown), cause: undefined };
  }

  static getDerivedStateFromProps(props: CellBoundaryProps, state: CellBoundaryState): CellBoundaryState {
    const { error, cause } = state;
    if (error === undefined) return state;
    const { type } = props.column;
    if (cause === undefined) return { error, cause: { value: props.value, type } };
    return Object.is(cause.value, props.value) && cause.type === type
      ? state
      : { error: undefined, cause: undefined };
  }

  override componentDidCatch(thrown: unknown): void {
    this.props.actions.reportCellError(this.props.column, toError(thrown));
  }

  stopDrawing(error: Error): void {
    this.setState({ error, cause: undefined });
    this.props.actions.reportCellError(this.props.column, error);
  }

  override render(): ReactNode {
    const { column, actions, children, t } = this.props;
    const reason = this.state.error?.message ?? actions.brokenReason(column);
    if (reason === undefined) return children;
    return (
      <span
        className="tgrid-broken"
        role="img"
        title={t('This cell cannot be shown: {{reason}}', { reason })}
        aria-label={t('This cell cannot be shown: {{reason}}', { reason })}
      >
        !
      </span>
    );
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
