import type { AggregationOf, ColumnEntity, SortKey } from '@trellis/sdk/shared';
import { hasPermission, useHost, useRegistry, VisitedViewContext, type ViewProps } from '@trellis/sdk/web';
import { useCardRows } from '@trellis/sdk/web/cards';
import { useViewOptions, ViewFailure } from '@trellis/sdk/web/views';
import { useContext, useMemo, useState, type ReactNode } from 'react';
import type { KanbanOptions } from '../shared/index.ts';
import { Board } from './Board.tsx';
import { UnstackedBoard } from './UnstackedBoard.tsx';
import './kanban.css';

/** The view type `kanban`: finds the column of the stacks and draws them. */
export default function KanbanView(props: ViewProps): ReactNode {
  const { t } = useHost();
  const { stackedBy: chosen } = useViewOptions(props.view) as KanbanOptions;
  /** The column of the stacks that contain unsaved names: if others choose another column, these names stay. */
  const [held, setHeld] = useState<string>();
  const stackedBy = held ?? chosen;
  const types = useRegistry('columnTypes');
  const column = props.table.columns?.find(({ id }) => id === stackedBy);
  const stacks = types.find(({ id }) => id === column?.uidt)?.stacks;
  const isVisited = useContext(VisitedViewContext) !== undefined;
  if (column === undefined || stacks === undefined) {
    if (isVisited) return <UnstackedBoard key={props.view.id} {...props} />;
    return (
      <div className="kanban-notice" role="alert">
        {hasPermission('viewArrange', props.project)
          ? t('The column of the stacks is gone or has another type. Choose one in the settings of the view.')
          : t('The cards of this board are stacked by a column that you are not shown.')}
      </div>
    );
  }
  return (
    <StackedRows
      key={`${props.view.id} ${column.id} ${column.uidt}`}
      {...props}
      column={column}
      isFormer={stackedBy !== chosen}
      onHolding={(isHolding) => setHeld(isHolding ? column.id : undefined)}
    />
  );
}

function StackedRows(
  props: ViewProps & {
    readonly column: ColumnEntity;
    readonly isFormer: boolean;
    onHolding(this: void, isHolding: boolean): void;
  },
): ReactNode {
  const { view, column } = props;
  const { figure, figureColumnId } = useViewOptions(view) as KanbanOptions;
  const groups = useMemo((): readonly SortKey[] => [{ columnId: column.id, direction: 'asc' }], [column.id]);
  const figures = useMemo(
    (): readonly AggregationOf[] =>
      figure === '' || figureColumnId === '' ? [] : [{ columnId: figureColumnId, aggregation: figure }],
    [figure, figureColumnId],
  );
  const of = useCardRows(props, { groups, figures });
  const { columns, error, refetch } = of.inView;
  if (columns !== undefined) return <Board {...props} {...{ of, figures }} inView={columns} />;
  if (error === undefined) return <div className="kanban" aria-busy="true" />;
  return <ViewFailure error={error} onRetry={refetch} />;
}
